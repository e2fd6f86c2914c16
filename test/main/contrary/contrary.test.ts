import { expect, onTestFinished, test } from 'vitest'
import { usualAnswers } from '../../../src-service/faults/contrary/answers.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { overCores } from '../missed/cores.ts'
import { template } from '../missed/disk.ts'
import { answersOf } from './drawn.ts'
import type { Far } from './far.ts'
import { lookAt } from './oracle.ts'
import { play, reading, slow, type Played } from './play.ts'

const count = Number(process.env['CONTRARY_RUNS'] ?? 1_000)
const first = Number(process.env['CONTRARY_FIRST'] ?? 0)

test(`${count} contrary services: each device is shown as it is, or a fault says otherwise`, async () => {
  const all: Played[] = []
  await overCores<Played>(new URL('many.ts', import.meta.url), first, count, (played) => all.push(played))
  const wrong = all.filter((played) => played.wrong.length > 0).toSorted((a, b) => a.seed - b.seed)
  for (const { seed, odd, said } of wrong) console.log(`seed ${seed}: ${JSON.stringify(odd)}; said: ${said.join('; ')}`)
  expect(wrong.map(({ seed, wrong: words }) => ({ seed, wrong: words.slice(0, 5) }))).toEqual([])
  expect(all).toHaveLength(count)
  // Services of which nothing can be read would go well too.
  expect(all.filter(({ isWhole }) => isWhole).length).toBeGreaterThan(count * 0.4)
  expect(all.filter(({ odd }) => Object.keys(odd).length > 3).length).toBeGreaterThan(count * 0.4)
}, 2_400_000)

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

/** Their causes: overlapping pages without a total (130, 187, 964), the error of an empty list in a field that was not requested (558), and an oracle that compared before the subscription was confirmed (753). */
test.for([130, 187, 558, 753, 964])('seed %i, which was shown wrongly once', { timeout: 60_000 }, async (seed) => {
  const empty = template()
  onTestFinished(empty.remove)
  expect((await play(seed, empty.profile, answersOf(seed, drawnLater), slow)).wrong).toEqual([])
})

test.each([400, 403] as const)(
  'points that another client used up, rejected with %i, are waited for without a fault',
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
      expect([ledger.rejections().exhausted > 0, lookAt(far, near, clock.now()).said]).toEqual([true, ['link live']])
      await clock.advance(60_000)
      expect(lookAt(far, near, clock.now())).toEqual({ different: [], unsaid: [], said: ['link live'] })
    })
  },
)

test('the comparison finds a wrong name, status or time and an extra device', { timeout: 60_000 }, async () => {
  const empty = template()
  onTestFinished(empty.remove)
  await reading(1, empty.profile, usualAnswers(), async ({ far, near, clock }) => {
    await clock.advance(120_000)
    expect(lookAt(far, near, clock.now())).toEqual({ different: [], unsaid: [], said: ['link live'] })
    const [first, ...others] = far.world.devices().filter(({ connected }) => connected)
    if (first === undefined) throw new Error('nobody is connected')
    const [lastDetected, lastConfigRequestDate] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
    const changed = { ...first, name: 'Another', connected: false, lastDetected, lastConfigRequestDate }
    const devices = () => [changed, ...others.slice(1)]
    const { unsaid } = lookAt({ ...far, world: { ...far.world, devices } }, near, clock.now())
    const words = [
      `${first.id} has the name ${first.name} and not Another`,
      `${first.id} is shown as connected and is disconnected`,
      expect.stringMatching(new RegExp(`^${first.id} has the lastDetected .* and not ${lastDetected}$`, 'u')),
      expect.stringMatching(
        new RegExp(`^${first.id} has the lastConfigRequestDate .* and not ${lastConfigRequestDate}$`, 'u'),
      ),
      expect.stringMatching(/^\d+ devices are shown that never were there$/u),
    ]
    expect(unsaid).toEqual(expect.arrayContaining(words))
  })
})

/** The faults and the wrongly shown devices of a console that has these faults of the first tenant. */
async function unsaidBeside(fault: Fault, where: 'tenant' | 'the live connection' | 'the clock'): Promise<string[]> {
  const empty = template()
  onTestFinished(empty.remove)
  return reading(1, empty.profile, usualAnswers(), async ({ far, near, clock }) => {
    await clock.advance(120_000)
    const [tenant] = far.world.tenants()
    const [renamed, moved, gone] = far.world
      .devices()
      .filter(({ tenantId, connected, site }) => tenantId === tenant?.id && connected && site !== null)
    if (!renamed || !moved || !gone || !tenant) throw new Error('too few devices')
    const added = { ...renamed, id: 'added', room: null }
    const changed = new Map([
      [renamed.id, [{ ...renamed, name: 'Another' }]],
      [moved.id, [{ ...moved, site: null }]],
      [gone.id, []],
    ])
    const devices = () => [...far.world.devices().flatMap((device) => changed.get(device.id) ?? [device]), added]
    const faults = [{ where: where === 'tenant' ? tenant.name : where, fault, at: 0 }]
    const sync = { ...near.runner.sync, state: () => ({ ...near.runner.sync.state(), faults }) }
    const look = (past: Far['past']) =>
      lookAt(
        { ...far, past, world: { ...far.world, devices } },
        { ...near, runner: { ...near.runner, sync } },
        clock.now(),
      ).unsaid.map(
        (words) =>
          words
            .replace(/^.*? (has the name|has the site|of \d+ devices|devices are)/u, '$1')
            .split(' and not ')[0]
            ?.replace(/(name|site) .*/u, '$1') ?? '',
      )
    return [...look([]), '| it was so once:', ...look([renamed, moved, gone])]
  })
}

const never = ['devices are shown that never were there', 'has the name', 'has the site']
const once = 'devices are shown that are not there any more'

test('a fault of a sync excuses missing and old data, and never wrong data', { timeout: 60_000 }, async () => {
  expect(await unsaidBeside({ kind: 'timeout', detail: '' }, 'tenant')).toEqual([...never, '| it was so once:'])
})

test.each([
  ['fields that failed', { kind: 'partial', detail: 'room of 2 devices: mapping failed' }, 'tenant'],
  ['the socket', { kind: 'socket', detail: '' }, 'the live connection'],
  ['the clock', { kind: 'clock', detail: '' }, 'the clock'],
  ['a flood', { kind: 'flood', detail: '' }, 'tenant'],
] as const)('a fault of %s excuses no device and no other field', { timeout: 60_000 }, async (_what, fault, where) => {
  const lost = expect.stringMatching(/^of \d+ devices are not shown$/u)
  expect(await unsaidBeside(fault, where)).toEqual([
    lost,
    ...never,
    '| it was so once:',
    lost,
    once,
    'has the name',
    'has the site',
  ])
})
