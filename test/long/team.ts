import process from 'node:process'
import { playSequences } from '../main/team/replication/sequences.ts'

/** Plays `test/main/team/replication` for many sequences: `node test/long/team.ts [sequences] [seed]`. Rejects with the shortest wrong one that was found. */
const [sequences = 50_000, seed = Date.now() & 0x7fffffff] = process.argv.slice(2).map(Number)
const begun = performance.now()
const { rows, terms, failovers } = await playSequences(sequences, seed)
console.log(
  `${sequences.toLocaleString('en')} sequences of a team from seed ${seed} in ${Math.round((performance.now() - begun) / 1000)} s: ${rows.toLocaleString('en')} rows, ${terms.toLocaleString('en')} terms, ${failovers.toLocaleString('en')} failovers, none wrong`,
)
