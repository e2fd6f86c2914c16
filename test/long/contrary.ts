import process from 'node:process'
import { overCores } from '../main/missed/cores.ts'
import type { Played } from '../main/contrary/play.ts'

/** Plays `test/main/contrary` for many services: `node test/long/contrary.ts [services] [first]`. Says every few seconds how far it is, and in the end which ones were wrong. */
const [services = 1_000, first = 0] = process.argv.slice(2).map(Number)
const begun = performance.now()
let said = 0
let [done, whole] = [0, 0]
const wrong: Played[] = []
const took = () => `${Math.round((performance.now() - begun) / 1000)} s`
await overCores<Played>(new URL('../main/contrary/many.ts', import.meta.url), first, services, (played) => {
  done += 1
  whole += played.isWhole ? 1 : 0
  if (played.wrong.length > 0) wrong.push(played)
  if (performance.now() - said < 10_000) return
  said = performance.now()
  console.log(
    `${done.toLocaleString('en')} of ${services.toLocaleString('en')} contrary services, ${wrong.length} wrong, ${took()}`,
  )
})
for (const each of wrong.toSorted((a, b) => a.seed - b.seed))
  console.log(
    `seed ${each.seed}: ${JSON.stringify(each.odd)}\n  ${each.wrong.slice(0, 5).join('\n  ')}\n  said: ${each.said.join('; ')}`,
  )
console.log(
  `${done.toLocaleString('en')} contrary services from ${first} in ${took()}: ${whole.toLocaleString('en')} shown whole, ${wrong.length} wrong`,
)
process.exitCode = wrong.length > 0 || done < services ? 1 : 0
