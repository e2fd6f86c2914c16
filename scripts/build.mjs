import process from 'node:process'
import { build, targets } from './build/build.mjs'
import { ensureInstalled, exitWithError } from './setup.mjs'

/** `npm run build -- [targets] [--force]`: builds what is stale of the named targets; without names of all. */
ensureInstalled()
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = names.find((name) => targets[name] === undefined)
if (unknown !== undefined)
  exitWithError(`There is no target "${unknown}". There are: ${Object.keys(targets).join(', ')}`)
try {
  const built = await build({ ...(names.length > 0 ? { names } : {}), force: process.argv.includes('--force') })
  if (built.length === 0) console.error('Everything is up to date')
} catch (error) {
  exitWithError(error instanceof Error ? error.message : String(error))
}
