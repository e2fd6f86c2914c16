import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { ensureInstalled, node24, root } from '../setup.mjs'

/**
 * Runs the tests that take hours: a million seeds from the socket to the journal, then fifty real kills, ten thousand
 * contrary services, fifty thousand sequences of a team, and two hundred rounds of kills and cuts with a team of three cores,
 * beside twenty cores that start at once. `npm run test:long -- [seeds] [kills] [services] [sequences] [rounds]`.
 */
ensureInstalled()
const [seeds = '1000000', kills = '50', services = '10000', sequences = '50000', rounds = '200'] = process.argv.slice(2)
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
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const ofTeams = ['team-rounds', 'team-faults'].map((name) => `test/contract/${name}.test.ts`)
const { status } = spawnSync(node24(), [vitest, 'run', '--project=contract', '--maxWorkers=1', ...ofTeams], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEAM_ROUNDS: rounds, TEAM_STARTERS: '20' },
})
outcomes.push(status === 0)
console.log(outcomes.every(Boolean) ? 'test:long: passed' : 'test:long: FAILED')
process.exitCode = outcomes.every(Boolean) ? 0 : 1
