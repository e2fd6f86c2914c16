import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import path from 'node:path'
import { runFaster } from './faster-time.ts'

/**
 * `node --import` this before the built main: `electron` is the stand-in, and `keytar` a keychain that the test holds.
 * Whatever else the main asks for is what it would get in Electron's Node.
 */
const here = import.meta.dirname
// What Muster does on another system, as far as the stand-in goes.
const platform = process.env['MUSTER_TEST_PLATFORM']
if (platform !== undefined) Object.defineProperty(process, 'platform', { value: platform })

// The start and the factor of an accelerated clock (test/support/fleet.ts).
const time = process.env['MUSTER_TEST_CLOCK']?.split(' ').map(Number)
if (time !== undefined) runFaster(time[0] ?? 0, time[1] ?? 1)

const standIns: Record<string, string> = { electron: 'electron.ts', keytar: 'keytar.ts' }

registerHooks({
  resolve(specifier, context, next) {
    const file = standIns[specifier]
    if (file === undefined) return next(specifier, context)
    return { url: pathToFileURL(path.join(here, file)).href, format: 'module-typescript', shortCircuit: true }
  },
})
