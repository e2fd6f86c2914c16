import { expect, test } from 'vitest'
import type { Fault } from '../../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../../support/clock.ts'
import { emptyJob } from '../engine/empty-job.ts'
import { minutes, opened } from './opened.ts'
import { plan, sheetJob, simulatedWorld } from './simulated.ts'

test('a job of reboots ends with an outcome for each device', async () => {
  const { clock, outcomes, state, world } = await opened([
    'reboots',
    'lost',
    'refuses',
    'ignores',
    'offline',
    'in-call',
  ])
  await clock.advance(20 * minutes)
  expect(state()).toBe('done')
  expect(outcomes()).toEqual(['done', 'not-back', 'refused', 'unknown', 'not-sent', 'not-sent'])
  expect(world.jobs().list()).toMatchObject([{ state: 'done', counts: { done: 1, 'not-back': 1 } }])
})

test('each reboot is expected before it is sent, until its time is over', async () => {
  const { clock, world, id } = await opened(['reboots'])
  await clock.advance(0)
  const [first] = world.expected.at(-1) ?? []
  expect(first).toEqual({ key: 'service/tenant/0', job: id, sentAt: clock.now(), until: clock.now() + 5 * minutes })
})

test('the end of an ended job is listed for an hour', async () => {
  const { clock, world } = await opened(['refuses'])
  await clock.advance(minutes)
  expect(world.jobs().list()).toHaveLength(1)
  await clock.advance(61 * minutes)
  expect(world.jobs().list()).toEqual([])
})

test('where the first step cannot be written, nothing is sent and the job is paused', async () => {
  const { clock, world, id } = await opened(['reboots'], {}, [{ at: 2, kind: 'disk' }])
  await clock.advance(minutes)
  expect(world.devices[0]?.arrived).toBe(0)
  expect(world.jobs().list()).toMatchObject([{ state: 'paused', fault: { kind: 'storage' } }])
  await world.jobs().control(id, 'continue')
  await clock.advance(5 * minutes)
  expect(world.devices[0]?.arrived).toBe(1)
})

test('an answer that cannot be written is kept and written when the disk works again', async () => {
  // The calls: create, begin, look, read, save the intent, reboot, and then the answer.
  const { clock, outcomes, world } = await opened(['refuses'], {}, [{ at: 10, kind: 'disk' }])
  await clock.advance(1_000)
  expect([outcomes(), world.jobs().list()[0]?.counts.refused]).toEqual([['sent'], 1])
  await clock.advance(minutes)
  expect(outcomes()).toEqual(['refused'])
})

test('whichever write fails, each device has an outcome once the operator continues', async () => {
  for (let at = 2; at <= 30; at += 1) {
    const { clock, world, id, state, outcomes } = await opened(['ignores', 'lost'], {}, [{ at, kind: 'disk' }])
    for (let turn = 0; turn < 5; turn += 1) {
      await clock.advance(5 * minutes)
      if (state() === 'paused') await world.jobs().control(id, 'continue')
    }
    expect([at, outcomes()]).toEqual([at, ['unknown', 'not-back']])
  }
})

test('two jobs never act on one device: the second is not sent', async () => {
  const { world } = await opened(['reboots', 'reboots'])
  expect(world.jobs().isBusy('service/tenant/1')).toBe(true)
  await expect(world.jobs().start(sheetJob(2), plan)).rejects.toMatchObject({ fault: { kind: 'input' } })
  const other = await world.jobs().start(sheetJob(3), plan)
  expect(world.disk.get(other)?.targets.map(({ obstacle }) => obstacle)).toEqual(['busy', 'busy', null])
})

test('after a kill the job is interrupted, is continued by hand, and sends nothing twice', async () => {
  const { clock, world, id, state, outcomes } = await opened(['reboots', 'no-answer', 'reboots'], { batch: 1 })
  await clock.advance(100)
  await world.kill()
  expect([state(), outcomes()]).toEqual(['interrupted', ['sent', 'pending', 'pending']])
  await clock.advance(5 * minutes)
  expect(outcomes()).toEqual(['done', 'pending', 'pending'])
  await world.jobs().control(id, 'continue')
  await clock.advance(20 * minutes)
  expect([state(), outcomes()]).toEqual(['done', ['done', 'done', 'done']])
  expect(world.devices.map(({ arrived }) => arrived)).toEqual([1, 1, 1])
})

test('a drop and a return while Muster was closed prove a reboot by the journal', async () => {
  const { clock, world, target } = await opened(['reboots'])
  await clock.advance(100)
  const { jobs } = world
  // This Muster sees nothing of what the devices do.
  jobs().applyChange = () => {}
  await clock.advance(2 * minutes)
  await world.kill()
  await settle()
  expect(target(0)).toMatchObject({ outcome: 'done', provenBy: 'disconnect' })
})

test('a scheduled job waits for its time, and is interrupted by a restart', async () => {
  const at = manualClock().now() + 10 * minutes
  const { clock, world, state } = await opened(['reboots'], { at })
  await clock.advance(9 * minutes)
  expect([state(), world.devices[0]?.arrived]).toEqual(['scheduled', 0])
  await clock.advance(2 * minutes)
  expect(world.devices[0]?.arrived).toBe(1)
  const other = await opened(['reboots'], { at })
  await other.world.kill()
  await other.clock.advance(20 * minutes)
  expect([other.state(), other.world.devices[0]?.arrived]).toEqual(['interrupted', 0])
})

test('sleep interrupts a job, and without a connection it is paused with the reason', async () => {
  const slept = await opened(['reboots', 'reboots'], { batch: 1 })
  await slept.clock.advance(100)
  slept.world.jobs().sleep()
  await slept.clock.advance(10 * minutes)
  expect([slept.state(), slept.outcomes()]).toEqual(['interrupted', ['done', 'pending']])
  const away = await opened(['reboots', 'reboots'], { batch: 1 })
  await away.clock.advance(100)
  away.world.pauseConnection()
  await away.clock.advance(10 * minutes)
  expect([away.state(), away.outcomes()]).toEqual(['paused', ['done', 'pending']])
  expect(away.world.disk.get(away.id)?.record.fault).toEqual({ kind: 'no-sender', detail: 'Tenant' })
})

test('nothing is sent after the stop, and the answers that are on their way are kept', async () => {
  const { clock, world, state, outcomes } = await opened(Array.from({ length: 8 }, () => 'refuses' as const))
  const stopping = world.jobs().stop()
  await clock.advance(minutes)
  await stopping
  const sent = world.devices.filter(({ arrived }) => arrived > 0).length
  expect(sent).toBeLessThanOrEqual(4)
  expect(state()).toBe('interrupted')
  expect(outcomes()?.filter((outcome) => outcome === 'refused')).toHaveLength(sent)
  expect(outcomes()).not.toContain('sent')
  await clock.advance(10 * minutes)
  expect(world.devices.filter(({ arrived }) => arrived > 0)).toHaveLength(sent)
})

test('a stopped job is ended when the last device that was sent has its outcome', async () => {
  const { clock, world, id, outcomes } = await opened(['reboots', 'reboots'], { batch: 1 })
  await clock.advance(100)
  await world.jobs().control(id, 'stop')
  expect(world.disk.get(id)?.record).toMatchObject({ state: 'stopped', endedAt: null })
  await clock.advance(2 * minutes)
  expect([outcomes(), world.disk.get(id)?.record.endedAt]).toEqual([['done', 'not-sent'], expect.any(Number)])
  await expect(world.jobs().control(id, 'continue')).rejects.toMatchObject({ fault: { kind: 'input' } })
})

test('a job that was being stored when the computer fell asleep waits for the operator', async () => {
  const clock = manualClock()
  const world = simulatedWorld(clock, ['reboots'])
  await world.jobs().restore()
  world.whenCreated(() => world.jobs().sleep())
  const id = await world.jobs().start(sheetJob(1), plan)
  await clock.advance(10 * minutes)
  expect([world.disk.get(id)?.record.state, world.devices[0]?.arrived]).toEqual(['interrupted', 0])
})

/** A job of so many devices that the inventory lacks; the service has the first. `fault`: of each reading by id. */
async function withoutInventory(devices: number, fault?: Fault) {
  const clock = manualClock()
  const world = simulatedWorld(clock, ['reboots'])
  world.emptyInventory()
  if (fault !== undefined) world.failReads(fault)
  await world.jobs().restore()
  return { clock, world, id: await world.jobs().start(sheetJob(devices), plan) }
}

test('a device that the inventory does not have yet is read from the service, and sent', async () => {
  const { clock, world, id } = await withoutInventory(2)
  await clock.advance(10 * minutes)
  const targets = world.disk.get(id)?.targets
  expect(targets?.map(({ outcome, obstacle }) => [outcome, obstacle])).toEqual([
    ['done', null],
    ['not-sent', 'gone'],
  ])
})

test('a device that came back in the sleep of the computer is asked for, and not lost', async () => {
  const { clock, world, state, target } = await opened(['reboots'])
  await clock.advance(2_000)
  expect(target(0)?.droppedAt).not.toBeNull()
  world.jobs().sleep()
  const { jobs } = world
  jobs().applyChange = () => {}
  await clock.advance(10 * minutes)
  expect([state(), target(0)]).toMatchObject(['done', { outcome: 'done', backAfter: null }])
})

test('a job whose devices were erased ends, and nothing more of it is sent', async () => {
  const { clock, world } = await opened(['reboots', 'reboots', 'reboots'], { batch: 1 })
  await clock.advance(100)
  world.disk.clear()
  await clock.advance(20 * minutes)
  expect(world.jobs().list()).toEqual([])
  expect(world.devices.map(({ arrived }) => arrived)).toEqual([1, 0, 0])
})

test('a second reboot of a device proves nothing of the first, whose answer was lost', async () => {
  const { clock, world, id, target } = await opened(['swallowed'])
  await clock.advance(5)
  await world.kill()
  expect(target(0)?.outcome).toBe('unknown')
  const second = await world.jobs().start(sheetJob(1), plan)
  await clock.advance(1_000)
  world.transition(0, false)
  world.transition(0, true)
  await clock.advance(10 * minutes)
  expect([target(0)?.outcome, world.disk.get(second)?.targets[0]?.outcome]).toEqual(['unknown', 'done'])
  expect(id).not.toBe(second)
})

test('five thousand devices that come back together are taken up in few writes', async () => {
  const clock = manualClock()
  const all = Array.from({ length: 5_000 }, () => 'ignores' as const)
  const world = simulatedWorld(clock, all)
  const { record, targets } = emptyJob(all.length, plan)
  const sent = { outcome: 'sent', sentAt: clock.now(), answeredAt: clock.now() } as const
  world.disk.set('job', {
    record: { ...record, state: 'running' },
    targets: targets.map((target) => ({ ...target, ...sent })),
  })
  await world.kill()
  const before = world.writes()
  for (const connected of [false, true])
    world.jobs().applyChange({
      transitions: targets.map(({ key }) => ({ key, at: clock.now(), notBefore: null, connected })),
    })
  await clock.advance(1_000)
  expect(world.disk.get('job')?.targets.every(({ outcome }) => outcome === 'done')).toBe(true)
  expect(world.writes() - before).toBeLessThanOrEqual(20)
})

test('an order that waits is taken back at once, also where the disk is slow to write the pause', async () => {
  const { clock, world, id } = await opened(['refuses'])
  world.spend()
  await clock.advance(1_000)
  const release = world.holdWrites()
  void world.jobs().control(id, 'pause')
  await settle()
  world.refill()
  await settle()
  release()
  await clock.advance(1_000)
  expect(world.devices[0]?.arrived).toBe(0)
})

test('where an answer cannot be written, the orders that wait are taken back', async () => {
  const { clock, world, outcomes } = await opened(['refuses', 'refuses', 'refuses', 'refuses'])
  await clock.advance(5)
  world.spend()
  world.failWrites(true)
  await clock.advance(1_000)
  world.refill()
  await clock.advance(1_000)
  expect(world.devices.map(({ arrived }) => arrived)).toEqual([1, 0, 0, 0])
  world.failWrites(false)
  await clock.advance(minutes)
  expect(outcomes()).toEqual(['refused', 'pending', 'pending', 'pending'])
})

test('a pause while the intent is being written sends nothing', async () => {
  const { clock, world, id, outcomes } = await opened(['refuses'], { at: manualClock().now() + 60_000 })
  const look = world.holdLooks()
  await clock.advance(60_000)
  const write = world.holdWrites()
  look()
  await settle()
  void world.jobs().control(id, 'pause')
  write()
  await clock.advance(1_000)
  expect([world.devices[0]?.arrived, outcomes()]).toEqual([0, ['pending']])
})

test('a device the inventory lacks, of a service that reads none by id, is unknown, not gone', async () => {
  const { clock, world, id } = await withoutInventory(1, { kind: 'query', detail: '' })
  await clock.advance(minutes)
  expect(world.disk.get(id)?.targets[0]).toMatchObject({ outcome: 'not-sent', obstacle: 'unknown' })
})

test('a device the inventory lacks, and that cannot be read now, pauses the job', async () => {
  const { clock, world, id } = await withoutInventory(1, { kind: 'connect', detail: 'down' })
  await clock.advance(minutes)
  expect(world.disk.get(id)).toMatchObject({
    record: { state: 'paused', fault: { kind: 'connect' } },
    targets: [{ outcome: 'pending' }],
  })
})

test('an open job is listed however many ended ones are newer', async () => {
  const clock = manualClock()
  const world = simulatedWorld(
    clock,
    Array.from({ length: 60 }, (_, at) => (at === 0 ? 'ignores' : 'refuses')),
  )
  await world.jobs().restore()
  const first = await world.jobs().start(sheetJob(1), plan)
  const rest = sheetJob(60).targets.slice(1)
  for (const target of rest) {
    await world.jobs().start({ ...sheetJob(1), targets: [target] }, plan)
    await clock.advance(100)
  }
  const listed = world.jobs().list()
  expect([listed.length, listed.at(-1)?.id]).toEqual([50, first])
})

test('a second reboot ends also where the clock was set back before it', async () => {
  const { clock, world } = await opened(['swallowed'])
  await clock.advance(5)
  await world.kill()
  clock.jump(-60 * minutes)
  const second = await world.jobs().start(sheetJob(1), plan)
  await clock.advance(20 * minutes)
  expect(world.disk.get(second)?.record.endedAt).not.toBeNull()
})
