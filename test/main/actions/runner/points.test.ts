import { expect, test } from 'vitest'
import { minutes, opened } from './opened.ts'

test.each(['pause', 'stop', 'sleep', 'off'] as const)(
  '%s takes back the orders that still wait for points',
  async (kind) => {
    const { clock, world, id, state, outcomes } = await opened(['refuses', 'refuses', 'refuses'])
    world.spend()
    await clock.advance(1_000)
    expect(outcomes()).toEqual(['sent', 'pending', 'pending'])
    if (kind === 'sleep') world.jobs().sleep()
    else if (kind === 'off') world.jobs().block({ kind: 'actions-off', detail: '' })
    else await world.jobs().control(id, kind)
    await clock.advance(0)
    world.refill()
    await clock.advance(1_000)
    expect(world.devices.map(({ arrived }) => arrived)).toEqual([0, 0, 0])
    const left = kind === 'stop' ? 'not-sent' : 'pending'
    expect(outcomes()).toEqual([left, left, left])
    if (kind === 'stop') return
    expect(state()).toBe(kind === 'sleep' ? 'interrupted' : 'paused')
    await world.jobs().control(id, 'continue')
    await clock.advance(minutes)
    expect(outcomes()).toEqual(['refused', 'refused', 'refused'])
  },
)

test('a reboot that waits for points is looked at again after a minute', async () => {
  const { clock, world, state, outcomes } = await opened(['refuses', 'refuses'])
  world.spend()
  await clock.advance(1_000)
  expect(outcomes()).toEqual(['sent', 'pending'])
  world.transition(0, false)
  await clock.advance(70_000)
  expect([state(), outcomes()]).toEqual(['running', ['not-sent', 'sent']])
  world.refill()
  await clock.advance(minutes)
  expect([outcomes(), world.devices.map(({ arrived }) => arrived)]).toEqual([
    ['not-sent', 'refused'],
    [0, 1],
  ])
})

test('a job that is continued before its withdrawn orders are back sends each once', async () => {
  const { clock, world, id, outcomes } = await opened(['refuses', 'refuses'])
  world.spend()
  await clock.advance(1_000)
  void world.jobs().control(id, 'pause')
  void world.jobs().control(id, 'continue')
  world.refill()
  await clock.advance(minutes)
  expect([outcomes(), world.devices.map(({ arrived }) => arrived)]).toEqual([
    ['refused', 'refused'],
    [1, 1],
  ])
})
