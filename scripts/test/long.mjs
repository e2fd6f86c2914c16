import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { ensureInstalled, node24, root } from '../setup.mjs'

/**
 * Runs the tests that take hours: a million seeds from the socket to the journal, then fifty real kills, ten thousand
 * contrary services and fifty thousand sequences of a team. `npm run test:long -- [seeds] [kills] [services] [sequences]`.
 */
ensureInstalled()
const [seeds = '1000000', kills = '50', services = '10000', sequences = '50000'] = process.argv.slice(2)
const outcomes = [
  ['seeds.ts', seeds],
  ['kills.ts', kills],
  ['contrary.ts', services],
  ['team.ts', sequences],
].map(([program, count]) => {
  const { status } = spawnSync(node24(), [path.join(root, 'test', 'long', program), count], {
    cwd: root,
    stdio: 'inherit',
  })
  return status === 0
})
console.log(outcomes.every(Boolean) ? 'test:long: passed' : 'test:long: FAILED')
process.exitCode = outcomes.every(Boolean) ? 0 : 1
