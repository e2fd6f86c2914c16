import { expect, test } from 'vitest'
import type { LogData } from '../../../src-main/inventory/thread/log-protocol.ts'
import { openActs } from '../../../src-main/team/acts.ts'
import type { Item } from '../../../src-main/team/replica/codec.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'

type Kept = NonNullable<Awaited<ReturnType<LogData['pendingActs']>>['next']>

const name = (input: unknown) => (input as { name: string }).name

function setup() {
  const clock = manualClock()
  const kept: Kept[] = []
  const written: string[] = []
  const refused: string[] = []
  const sent: unknown[] = []
  const state = { away: false, rejects: null as FaultError | null, onWritten: () => {} }
  const write = async (item: Item) => {
    if (item.is !== 'call') throw new Error('no call')
    if (state.away) throw new FaultError('team-away')
    const rejected = state.rejects
    state.rejects = null
    if (rejected !== null) throw rejected
    written.push(name(item.input))
    const at = kept.findIndex(({ id }) => id === item.act)
    if (at >= 0) kept.splice(at, 1)
    state.onWritten()
    return 'written'
  }
  const acts = openActs({
    clock,
    write,
    local: {
      pendingActs: async () => ({ waiting: kept.length, next: kept[0] ?? null }),
      async keepAct(act) {
        kept.push(act)
        return 'kept'
      },
      async dropActs({ id }) {
        kept.splice(0, kept.length, ...kept.filter((each) => id !== null && each.id !== id))
        return {
          again: kept.map(({ call, input }) => ({ call: { call, input }, result: { ok: true, value: 'again' } })),
        }
      },
    },
    caughtUp: async () => {},
    isAway: () => state.away,
    onChange: () => {},
    onAgain: (_call, result) => sent.push(result.ok ? result.value : result.fault),
    onRefused: (call, { kind }) => refused.push(`${call} ${kind}`),
  })
  const run = (text: string) => acts.run('saveView', { name: text })
  return { clock, kept, written, sent, refused, state, acts, run }
}

test('an act is written at once while the database is there', async () => {
  const { written, run, acts } = setup()
  expect(await run('a')).toBe('written')
  expect(written).toEqual(['a'])
  expect(acts.waiting()).toBe(0)
})

test('acts wait in order, and a later one does not overtake them', async () => {
  const { clock, state, run, acts, written, sent } = setup()
  state.away = true
  expect(await run('a')).toBe('kept')
  state.away = false
  expect(await run('b')).toBe('kept')
  expect(acts.waiting()).toBe(2)
  await clock.advance(3000)
  expect(written).toEqual(['a', 'b'])
  expect(sent).toEqual(['written', 'written'])
  expect(acts.waiting()).toBe(0)
})

test('an act whose writing has failed is kept, and sent once the database is back', async () => {
  const { clock, state, run, acts, written } = setup()
  state.rejects = new FaultError('team-away', 'whether it was written is not known')
  expect(await run('a')).toBe('kept')
  state.rejects = new FaultError('stopped')
  await clock.advance(3000)
  expect(acts.waiting()).toBe(1)
  await clock.advance(3000)
  expect(written).toEqual(['a'])
  expect(acts.waiting()).toBe(0)
})

test('an act that cannot be done is told, and does not hold up the next one', async () => {
  const { clock, state, run, refused, written, sent } = setup()
  state.away = true
  await run('a')
  await run('b')
  state.away = false
  state.rejects = new FaultError('input', 'node: gone')
  await clock.advance(3000)
  expect(refused).toEqual(['saveView input'])
  expect(written).toEqual(['b'])
  // What the dropped one changed is taken back beneath the next one.
  expect(sent).toEqual(['again', 'written'])
})

test('a fault of the act itself is the answer, and nothing waits', async () => {
  const { state, run, acts } = setup()
  state.rejects = new FaultError('input', 'node: gone')
  await expect(run('a')).rejects.toThrow('gone')
  expect(acts.waiting()).toBe(0)
})

test('what an erasure has taken meanwhile is not sent', async () => {
  const { clock, state, run, kept, written } = setup()
  state.away = true
  await run('a')
  await run('about what is erased')
  await run('c')
  state.away = false
  state.onWritten = () =>
    kept.splice(0, kept.length, ...kept.filter(({ input }) => name(input) !== 'about what is erased'))
  await clock.advance(3000)
  expect(written).toEqual(['a', 'c'])
})

test('an act that still waits after it was written is not written again and again', async () => {
  const { clock, state, run, kept, written, acts } = setup()
  state.away = true
  await run('a')
  state.away = false
  const [act] = kept
  state.onWritten = () => void (act !== undefined && kept.push(act))
  await clock.advance(2900)
  await clock.advance(200)
  expect(written).toEqual(['a'])
  expect(acts.waiting()).toBe(1)
})

test('acts of a former team are dropped', async () => {
  const { state, run, acts, kept } = setup()
  state.away = true
  await run('a')
  await acts.drop()
  expect(kept).toEqual([])
  expect(acts.waiting()).toBe(0)
})
