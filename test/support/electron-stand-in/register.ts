import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import path from 'node:path'

/**
 * `node --import` this before the built main: `electron` is the stand-in, and `keytar` a keychain that the test holds.
 * Whatever else the main asks for is what it would get in Electron's Node.
 */
const here = import.meta.dirname
// What Muster does on another system, as far as the stand-in goes.
const platform = process.env['MUSTER_TEST_PLATFORM']
if (platform !== undefined) Object.defineProperty(process, 'platform', { value: platform })

const standIns: Record<string, string> = { electron: 'electron.ts', keytar: 'keytar.ts' }

registerHooks({
  resolve(specifier, context, next) {
    const file = standIns[specifier]
    if (file === undefined) return next(specifier, context)
    return { url: pathToFileURL(path.join(here, file)).href, format: 'module-typescript', shortCircuit: true }
  },
})
