import { expect, onTestFinished, test } from 'vitest'
import { usualAnswers } from '../../../src-service/contrary/answers.ts'
import { overCores } from '../missed/cores.ts'
import { template } from '../missed/disk.ts'
import { answersOf } from './drawn.ts'
import { lookAt } from './oracle.ts'
import { play, reading, slow, type Played } from './play.ts'

const count = Number(process.env['CONTRARY_RUNS'] ?? 200)
const first = Number(process.env['CONTRARY_FIRST'] ?? 0)

test(`${count} contrary services: what is shown is what they tell, or it is said what is missing`, async () => {
  const all: Played[] = []
  await overCores<Played>(new URL('many.ts', import.meta.url), first, count, (played) => all.push(played))
  const wrong = all.filter((played) => played.wrong.length > 0).toSorted((a, b) => a.seed - b.seed)
  for (const { seed, odd, said } of wrong) console.log(`seed ${seed}: ${JSON.stringify(odd)}; said: ${said.join('; ')}`)
  expect(wrong.map(({ seed, wrong: words }) => ({ seed, wrong: words.slice(0, 5) }))).toEqual([])
  expect(all).toHaveLength(count)
  // Services of which nothing can be read would go well too.
  expect(all.filter(({ isWhole }) => isWhole).length).toBeGreaterThan(count * 0.4)
  expect(all.filter(({ odd }) => Object.keys(odd).length > 3).length).toBeGreaterThan(count * 0.4)
}, 900_000)

/** Points that were not drawn when these were found. */
const drawnLater = [
  'unresolvedSites',
  'tokenLifeMs',
  'tokenRepeats',
  'nullEdges',
  'nullNames',
  'orderChanges',
  'sharedIds',
  'idTypes',
] as const

/** Pages overlap where nothing tells a total (130, 187, 964); the reason for an empty list stands in a field that was not asked for (558); in 753 it was the oracle, which looked before the subscription was confirmed. */
test.for([130, 187, 558, 753, 964])(
  'seed %i, of which something was shown wrongly once',
  { timeout: 60_000 },
  async (seed) => {
    const empty = template()
    onTestFinished(empty.remove)
    expect((await play(seed, empty.profile, answersOf(seed, drawnLater), slow)).wrong).toEqual([])
  },
)

test.each([400, 403] as const)(
  'points that another client has used up, refused with %i and without words, are waited for, and nothing is said to be wrong',
  { timeout: 60_000 },
  async (exhaustedStatus) => {
    const empty = template()
    onTestFinished(empty.remove)
    const answers = {
      ...usualAnswers(),
      introspection: false,
      exhaustedStatus,
      exhaustedCode: '',
      exhaustedWords: 'none',
      retryAfter: false,
    } as const
    await reading(3, empty.profile, answers, async ({ far, near, clock }) => {
      await clock.advance(60_000)
      near.runner.sync.refresh(null)
      // The list of tenants and the schema have been answered, and the first pages of all tenants are on their way.
      await clock.advance(90)
      const {
        ledger,
        pair: { clientId },
      } = far
      while (ledger.balance(clientId).remaining > 0)
        ledger.charge(clientId, Math.min(ledger.costLimit, ledger.balance(clientId).remaining))
      await clock.advance(1_000)
      expect([ledger.refusals().exhausted > 0, lookAt(far, near, clock.now()).said]).toEqual([true, ['link live']])
      await clock.advance(60_000)
      expect(lookAt(far, near, clock.now())).toEqual({ different: [], unsaid: [], said: ['link live'] })
    })
  },
)

test(
  'what is shown otherwise than it is, and not said, is found: a name, a status, a device too many',
  { timeout: 60_000 },
  async () => {
    const empty = template()
    onTestFinished(empty.remove)
    await reading(1, empty.profile, usualAnswers(), async ({ far, near, clock }) => {
      await clock.advance(120_000)
      expect(lookAt(far, near, clock.now())).toEqual({ different: [], unsaid: [], said: ['link live'] })
      const [first, ...others] = far.world.devices().filter(({ connected }) => connected)
      if (first === undefined) throw new Error('nobody is connected')
      const devices = () => [{ ...first, name: 'Another', connected: false }, ...others.slice(1)]
      const { unsaid } = lookAt({ ...far, world: { ...far.world, devices } }, near, clock.now())
      const words = [
        `${first.id} has the name ${first.name} and not Another`,
        `${first.id} is shown as connected and is disconnected`,
        expect.stringMatching(/^\d+ devices are shown that are not there$/u),
      ]
      expect(unsaid).toEqual(expect.arrayContaining(words))
    })
  },
)
