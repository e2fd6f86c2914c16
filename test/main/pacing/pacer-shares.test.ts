import { settle } from '../../support/clock.ts'
import { good, setup } from './pacer-bed.ts'
import { expect, test } from 'vitest'

test('the last share of a rate window is interactive only, until its last moments', async () => {
  const { clock, pacer, sent, ask } = setup(10)
  await ask('Devices', () => good(4_000, 14_000, 30))
  const waiting = ask('Devices', () => good(4_000, 6_000, 5))
  expect(await ask('Mine', () => good(3_000, 11_000, 30), { lane: 'person' })).toBe('ok')
  await settle()
  expect(sent).toEqual(['Devices', 'Mine'])
  // A reset that is told in whole seconds may come two of them earlier.
  expect(pacer.holdsUntil()).toBe(clock.now() + 23_000)
  expect(pacer.gauge().waits).toEqual([
    { name: 'Devices', lane: 'background', count: 1, why: 'reserve', until: clock.now() + 23_000 },
  ])
  await clock.advance(22_900)
  expect(sent).toHaveLength(2)
  await clock.advance(400)
  expect(await waiting).toBe('ok')
})

test('paused background work waits, the operator’s requests do not, and it resumes', async () => {
  const { pacer, policy, sent, ask } = setup(0, { backgroundPaused: true })
  const waiting = ask('Devices', () => good(10, 90_000))
  await ask('Mine', () => good(10, 90_000), { lane: 'person' })
  await ask('Live', () => good(10, 90_000), { lane: 'reconcile' })
  expect(sent).toEqual(['Mine', 'Live'])
  expect(pacer.holdsUntil()).toBeNull()
  expect(pacer.gauge()).toMatchObject({ paused: true, waits: [{ name: 'Devices', why: 'paused', until: null }] })
  policy.backgroundPaused = false
  pacer.check()
  expect(await waiting).toBe('ok')
})

test("under a background limit only the operator's requests may exceed it", async () => {
  const { clock, pacer, sent, ask } = setup(0, { backgroundLimitPercent: 18 })
  await ask('Small', () => good(100, 99_900, 30))
  await ask('Devices', () => good(9_000, 90_900, 30))
  const waiting = ask('Devices', () => good(9_000, 91_000, 60))
  await settle()
  expect(pacer.gauge()).toMatchObject({ ceiling: 18_000, waits: [{ why: 'ceiling' }] })
  await ask('Devices', () => good(9_000, 81_900, 30), { lane: 'person' })
  expect(sent).toEqual(['Small', 'Devices', 'Devices'])
  await clock.advance(32_000)
  expect(await waiting).toBe('ok')
})

test('an interactive request does not wait for background ones', async () => {
  const { clock, sent, ask } = setup(10)
  await ask('Mine', () => good(10, 99_990), { lane: 'person' })
  await ask('Devices', () => good(4_000, 95_000))
  void ask('Devices', () => new Promise(() => {}))
  // Nothing is heard for long, and a page is still under way.
  await clock.advance(20_000)
  expect(await ask('Mine', () => good(10, 90_000), { lane: 'person' })).toBe('ok')
  // Nor at the end of a busy window, with the reserve untouched.
  for (let page = 0; page < 3; page += 1) void ask('Devices', () => new Promise(() => {}))
  await settle()
  expect(await ask('Mine', () => good(10, 24_000), { lane: 'person' })).toBe('ok')
  expect(sent.filter((name) => name === 'Mine')).toHaveLength(3)
})

test('an expensive request waiting for the reset does not delay cheap interactive ones', async () => {
  const { sent, pacer, ask } = setup()
  await ask('Mine', () => good(10, 99_990), { lane: 'person' })
  await ask('Dear', () => good(9_000, 8_000), { lane: 'person' })
  void ask('Mine', () => new Promise(() => {}), { lane: 'person' })
  void ask('Dear', () => good(9_000, 90_000), { lane: 'person' }).catch(() => {})
  await settle()
  await ask('Mine', () => good(10, 7_900), { lane: 'person' })
  expect(sent).toEqual(['Mine', 'Dear', 'Mine', 'Mine'])
  pacer.stop()
})

test('the gauge shows the reserve for other clients: never more than half a rate window', async () => {
  const { clock, pacer, ask } = setup(10)
  await ask('Tenants', () => good(10, 99_990, 60))
  await clock.advance(20_000)
  await ask('Tenants', () => good(10, 20_000, 40))
  expect(pacer.gauge().others).toBeGreaterThan(70_000)
  expect(pacer.gauge()).toMatchObject({ reserve: 60_000, forOthers: 50_000 })
})
