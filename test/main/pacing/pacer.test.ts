import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import type { CostReport } from '../../../src-main/pacing/balance/ledger.ts'
import type { Sent } from '../../../src-main/pacing/pacer.ts'
import { settle } from '../../support/clock.ts'
import { setup, good, rejectedSize, figures, shape } from './pacer-bed.ts'

test('asks one at a time until the balance is known, then several', async () => {
  const { sent, ask } = setup()
  const answers: ((sent: Sent<string>) => void)[] = []
  const held = () =>
    new Promise<Sent<string>>((resolve) => {
      answers.push(resolve)
    })
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ask(name, held))
  await settle()
  expect(sent).toEqual(['a'])
  answers.shift()?.(good(10, 99_990))
  await settle()
  expect(sent).toEqual(['a', 'b', 'c', 'd', 'e'])
  for (let round = 0; round < 6; round += 1) {
    for (const resolve of answers.splice(0)) resolve(good(10, 99_000))
    await settle()
  }
  expect(await Promise.all(all)).toHaveLength(6)
})

test('it holds when the balance is too low, and resumes after the reset', async () => {
  const { clock, pacer, sent, ask } = setup()
  await ask('Devices', () => good(9_000, 5_000, 40), { size: 400 })
  const waiting = ask('Devices', () => good(9_000, 91_000, 60), { size: 400 })
  await settle()
  expect(sent).toHaveLength(1)
  expect(pacer.holdsUntil()).toBe(clock.now() + 41_000)
  expect(pacer.gauge()).toMatchObject({ waiting: 1, remaining: 5_000 })
  await clock.advance(41_000)
  expect(sent).toHaveLength(1)
  await clock.advance(200)
  expect(await waiting).toBe('ok')
  expect(pacer.holdsUntil()).toBeNull()
})

test('a clock that is set does not make the hold last', async () => {
  const { clock, sent, ask } = setup()
  await ask('Devices', () => good(9_000, 5_000, 40), { size: 400 })
  const waiting = ask('Devices', () => good(9_000, 91_000, 60), { size: 400 })
  clock.jump(-3_600_000)
  await clock.advance(42_000)
  expect(await waiting).toBe('ok')
  expect(sent).toHaveLength(2)
})

test('an expensive request waits, and affordable ones are sent', async () => {
  const { sent, ask } = setup()
  await ask('Small', () => good(10, 50_000))
  await ask('Devices', () => good(9_000, 5_000), { size: 400 })
  await ask('Small', () => good(10, 4_990))
  expect(sent).toEqual(['Small', 'Devices', 'Small'])
})

test('the more urgent lane goes first', async () => {
  const { clock, sent, ask } = setup()
  await ask('first', () => good(9_900, 0, 30))
  const lanes: Lane[] = ['background', 'visible', 'reconcile', 'person']
  const all = lanes.map((lane) => ask(lane, () => good(9_900, 90_000), { lane }))
  await clock.advance(32_000)
  await Promise.all(all)
  expect(sent).toEqual(['first', 'person', 'reconcile', 'visible', 'background'])
})

test('a rejection for lack of points is a hold, and the request is sent again', async () => {
  const { clock, sent, ask } = setup()
  let first = true
  const asking = ask('Devices', () => {
    if (!first) return good(10, 99_000)
    first = false
    return rejectedSize(20_000)
  })
  await settle()
  await clock.advance(20_999)
  expect(sent).toHaveLength(1)
  await clock.advance(1_000)
  expect(await asking).toBe('ok')
})

test('after five rejections the fault is returned', async () => {
  const { clock, sent, ask } = setup()
  const asking = ask('Devices', () => rejectedSize(1_000)).catch((error: unknown) => error)
  await clock.advance(20_000)
  expect(await asking).toBeInstanceOf(FaultError)
  expect(sent).toHaveLength(5)
})

test('a cancelled request is not sent', async () => {
  const { clock, sent, ask } = setup()
  await ask('first', () => good(9_900, 0, 30))
  const gone = new AbortController()
  const asking = ask('gone', () => good(1, 1), { signal: gone.signal }).catch(() => 'called off')
  gone.abort(new FaultError('abort'))
  expect(await asking).toBe('called off')
  await clock.advance(31_000)
  expect(sent).toEqual(['first'])
})

test('an ended request leaves no listener on the connection’s signal', async () => {
  const { ask } = setup()
  const { signal } = new AbortController()
  await ask('good', () => good(5, 90_000), { signal })
  await ask('bad', () => ({ report: figures(5, 90_000), result: { error: new FaultError('query') } }), {
    signal,
  }).catch(() => {})
  await ask(
    'throws',
    () => {
      throw new Error('boom')
    },
    { signal },
  ).catch(() => {})
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test("another fault is the request's own, and the queue goes on", async () => {
  const { ask } = setup()
  const bad = ask('bad', () => ({ report: figures(5, 90_000), result: { error: new FaultError('query') } }))
  await expect(bad).rejects.toThrow('query')
  await expect(ask('good', () => good(5, 89_000))).resolves.toBe('ok')
})

test('a thrown error leaves nothing reserved', async () => {
  const { ask } = setup()
  await ask('first', () => good(10, 20_000))
  for (let round = 0; round < 5; round += 1) {
    await expect(
      ask('Throws', () => {
        throw new Error('boom')
      }),
    ).rejects.toThrow('boom')
  }
  await expect(ask('Other', () => good(10, 19_000))).resolves.toBe('ok')
})

test('the gauge shows the used points, lane by lane, and resets with the rate window', async () => {
  const { clock, pacer, ask } = setup()
  await ask('Tenants', () => good(20, 99_980, 30), { lane: 'visible' })
  await ask('Devices', () => good(9_000, 90_980, 30), { lane: 'background' })
  expect(pacer.gauge()).toMatchObject({
    limit: 100_000,
    remaining: 90_980,
    known: true,
    burned: { person: 0, reconcile: 0, visible: 20, background: 9_000 },
    recent: [
      { name: 'Devices', cost: 9_000 },
      { name: 'Tenants', cost: 20 },
    ],
  })
  await clock.advance(31_000)
  expect(pacer.gauge()).toMatchObject({ remaining: 100_000, burned: { visible: 0, background: 0 } })
})

test('stopping rejects waiting requests', async () => {
  const { pacer, ask } = setup()
  await ask('first', () => good(9_900, 0, 30))
  const asking = ask('waits', () => good(1, 1)).catch((error: unknown) => error)
  pacer.stop()
  expect(((await asking) as FaultError).fault.kind).toBe('stopped')
})

test('the gauge shows each new rate window, also without requests, until it stops', async () => {
  const { clock, pacer, ask, told } = setup()
  await ask('Devices', () => good(9_000, 91_000, 30))
  await settle()
  const before = told()
  await clock.advance(31_000)
  expect(told()).toBe(before + 1)
  expect(pacer.gauge()).toMatchObject({ remaining: 100_000, resetAt: clock.now() + 60_000 })
  await clock.advance(60_000)
  expect(told()).toBe(before + 2)
  pacer.stop()
  expect(clock.pending()).toBe(0)
})

test('a request larger than a rate window is sent in a whole one, alone', async () => {
  const { clock, sent, ask } = setup(50)
  const of = (cost: number, remaining: number, reset: number): Sent<string> => ({
    report: { source: 'headers', cost, limit: 12_000, remaining, resetIn: reset * 1000 },
    result: { value: 'ok' },
  })
  await ask('Dear', () => of(9_000, 3_000, 30))
  const waiting = ask('Dear', () => of(9_000, 3_000, 60))
  await clock.advance(30_000)
  expect(sent).toHaveLength(1)
  await clock.advance(2_000)
  expect(await waiting).toBe('ok')
})

test('a request rejected after the stop is not sent again, and no other is sent', async () => {
  const { clock, pacer, sent, ask, told } = setup()
  await ask('Mine', () => good(10, 99_990, 30))
  let reject = () => {}
  const asking = ask(
    'Devices',
    () =>
      new Promise<Sent<string>>((resolve) => {
        reject = () => resolve(rejectedSize(1_000))
      }),
  ).catch((error: unknown) => error)
  await settle()
  pacer.stop()
  const before = told()
  reject()
  expect(((await asking) as FaultError).fault.kind).toBe('stopped')
  await expect(ask('Late', () => good(1, 1))).rejects.toThrow('stopped')
  await clock.advance(10 * 60_000)
  expect(sent).toEqual(['Mine', 'Devices'])
  expect(told()).toBe(before)
  expect(clock.pending()).toBe(0)
})

test('thousands of requests that are queued and cancelled together take no time', async () => {
  const { ask } = setup()
  await ask('Mine', () => good(10, 99_990, 30))
  const gone = new AbortController()
  const all = Array.from({ length: 5_000 }, (_, index) =>
    ask(`shape ${index}`, () => new Promise(() => {}), { signal: gone.signal }).catch(() => 'called off'),
  )
  await settle()
  gone.abort(new FaultError('abort'))
  expect(new Set(await Promise.all(all))).toEqual(new Set(['called off']))
}, 3_000)

test('while one waits for the rate window, cheaper ones use the rest of this one', async () => {
  const { sent, pacer, ask } = setup()
  await ask('Small', () => good(10, 14_000))
  await ask('Devices', () => good(9_000, 5_000))
  void ask('Devices', () => good(9_000, 90_000), { lane: 'person' }).catch(() => {})
  await ask('Small', () => good(10, 4_980))
  expect(sent).toEqual(['Small', 'Devices', 'Small'])
  pacer.stop()
})

test('with few points left, one is sent at a time: several at once could be rejected', async () => {
  const { clock, sent, ask } = setup()
  const answers: ((sent: Sent<string>) => void)[] = []
  const held = () =>
    new Promise<Sent<string>>((resolve) => {
      answers.push(resolve)
    })
  for (let page = 0; page < 5; page += 1) await ask('Devices', () => good(4_000, 12_500))
  const all = [1, 2, 3].map(() => ask('Devices', held))
  await settle()
  expect(sent).toHaveLength(7)
  answers.shift()?.(good(4_000, 8_500))
  await settle()
  expect(sent).toHaveLength(7)
  answers.shift()?.(good(4_000, 4_500))
  await settle()
  answers.shift()?.(good(4_000, 500))
  await clock.advance(0)
  expect(await Promise.all(all)).toHaveLength(3)
})

test('in a rate window without an answer yet one goes ahead', async () => {
  const { clock, sent, ask } = setup()
  await ask('Devices', () => good(4_000, 500, 30))
  const answers: ((sent: Sent<string>) => void)[] = []
  const all = [1, 2, 3].map(() =>
    ask(
      'Devices',
      () =>
        new Promise<Sent<string>>((resolve) => {
          answers.push(resolve)
        }),
    ),
  )
  await clock.advance(32_000)
  expect(sent).toHaveLength(2)
  answers.shift()?.(good(4_000, 96_000, 59))
  await settle()
  expect(sent).toHaveLength(4)
  for (const answer of answers.splice(0)) answer(good(4_000, 90_000, 59))
  await Promise.all(all)
})

test('a service without cost headers is paced by the field, one without answers by an estimate', async () => {
  const { pacer, ask } = setup()
  const nothing: CostReport = { source: null, cost: null, limit: null, remaining: null, resetIn: null }
  const asked: boolean[] = []
  const parallelLimit = () =>
    pacer.run({
      name: 'Devices',
      lane: 'background',
      size: 1,
      shape: shape('Devices'),
      signal: new AbortController().signal,
      async send(ask): Promise<Sent<string>> {
        asked.push(ask)
        return { report: nothing, result: { value: 'ok' } }
      },
    })
  for (let page = 0; page < 4; page += 1) await parallelLimit()
  expect(asked).toEqual([false, true, true, false])
  // Half of what is documented is used where nobody says what is left, and each answer shows that the guesses were too high.
  expect(pacer.gauge()).toMatchObject({ basis: 'guess', known: false, remaining: 77_778 })
  const waiting = ask('Devices', () => ({ report: nothing, result: { error: new FaultError('exhausted') } })).catch(
    () => 'stopped',
  )
  await settle()
  expect(pacer.gauge()).toMatchObject({ remaining: 0, waits: [{ why: 'points' }] })
  pacer.stop()
  expect(await waiting).toBe('stopped')
})

test('lost points stay reserved no longer than their rate window, however many they were', async () => {
  const { clock, sent, ask } = setup()
  await ask('Devices', () => good(9_000, 91_000, 60))
  const lost = (): Sent<string> => ({ report: figuresOfNothing, result: { error: new FaultError('timeout') } })
  const all = Array.from({ length: 12 }, () => ask('Devices', lost).catch((error: unknown) => error))
  await settle()
  // No more than may be left: each of them may have been charged.
  expect(sent.length).toBeLessThan(12)
  const before = sent.length
  await clock.advance(61_200)
  expect(sent.length).toBeGreaterThan(before)
  await Promise.all(all)
  const after = ask('Devices', () => good(9_000, 91_000, 60))
  await clock.advance(61_200)
  expect(await after).toBe('ok')
})

const figuresOfNothing: CostReport = { source: null, cost: null, limit: null, remaining: null, resetIn: null }
