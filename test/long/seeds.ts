import process from 'node:process'
import { playMany } from '../main/missed/spread.ts'

/** Plays `test/main/missed` for many seeds: `node test/long/seeds.ts [seeds] [first]`. Says every few seconds how far it is, and in the end what it did. */
const [seeds = 1_000_000, first = 0] = process.argv.slice(2).map(Number)
const begun = performance.now()
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())
let said = 0
const took = () => `${Math.round((performance.now() - begun) / 1000)} s`
const played = await playMany(
  first,
  seeds,
  ({ seeds: done, wrong }) => {
    if (performance.now() - said < 10_000) return
    said = performance.now()
    console.log(`${done.toLocaleString('en')} of ${seeds.toLocaleString('en')} seeds, ${wrong.length} wrong, ${took()}`)
  },
  stopping.signal,
)
for (const { seed, wrong, steps } of played.wrong)
  console.log(`seed ${seed}:\n  ${wrong.join('\n  ')}\n  steps: ${steps.join(', ')}`)
const { changes, entries, live, lives } = played.sums
console.log(
  `${played.seeds.toLocaleString('en')} seeds from ${first} in ${took()}: ${changes.toLocaleString('en')} changes, ${entries.toLocaleString('en')} transitions in the journal (${live.toLocaleString('en')} live), ${lives.toLocaleString('en')} lives of the console, ${played.wrong.length} seeds wrong`,
)
process.exitCode = played.wrong.length > 0 || played.seeds < seeds ? 1 : 0
