import { afterEach, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/options.ts'
import type { JobDevice } from '../../src-shared/model/jobs.ts'
import {
  acceleratedClock,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
} from '../support/fleet.ts'
import { jobsOf, noteArrivals, reboot, rename, repeatedOf, untrueNames } from '../support/jobs-console.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A console whose job meets something in the middle. `late`: how long each mutation takes, ms. */
async function opened(options: ServiceOptions = {}, late = 0) {
  const clock = acceleratedClock(20)
  const reference = await service(leftovers, { devices: 320, tenants: 1, life: false, now: clock.now, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const jobs = jobsOf(muster)
  await jobs.arm()
  let onArrival = (_count: number) => {}
  const arrivals = noteArrivals(reference, (count) => onArrival(count))
  if (late > 0) reference.misfortune.always('latency', { ms: late, match: ({ query }) => query.startsWith('mutation') })
  const changes: string[] = []
  reference.world.onChange(({ id }) => void changes.push(id))
  return {
    ...jobs,
    muster,
    reference,
    arrivals,
    /** Ids of changed devices, once for each change. */
    changes,
    keys: (await jobs.keys()).keys,
    at(operation: number, act: () => unknown) {
      onArrival = (count) => {
        if (count === operation) void act()
      }
    },
  }
}

const outcomesOf = (rows: readonly JobDevice[]) => new Set(rows.map(({ outcome }) => outcome))

test('a service that ends in the middle of a rename leaves no doubt, and nothing is sent twice', async () => {
  const { start, shown, rows, arm, whenState, muster, reference, arrivals, changes, keys, at } = await opened({}, 60)
  at(5, () => reference.misfortune.pause())
  const job = await start(rename(keys, 'Ended {n:3}'))
  await until(async () => expect((await shown(job))?.state).toBe('paused'))
  expect((await shown(job))?.fault).not.toBeNull()
  // What was handed to the network is awaited, also by a paused job.
  const found = await until(async () => {
    const all = await rows(job)
    expect([...outcomesOf(all)].filter((each) => !['done', 'unknown', 'pending'].includes(each))).toEqual([])
    return all
  })
  expect(found).toHaveLength(keys.length)
  // What is done is so also where the service cannot be asked.
  expect(
    untrueNames(
      reference,
      found.filter(({ outcome }) => outcome === 'done'),
    ),
  ).toEqual([])
  await reference.misfortune.resume()
  await whenRead(muster)
  await arm()
  await muster.call('jobs.control', { job, command: 'continue' })
  await whenState(job, 'done')
  await until(async () => expect(untrueNames(reference, await rows(job))).toEqual([]))
  expect([...outcomesOf(await rows(job))].filter((each) => each !== 'done' && each !== 'unknown')).toEqual([])
  expect([arrivals.repeated(), repeatedOf(changes)]).toEqual([[], []])
})

test('a job that is stopped while its service is away sends nothing when it is back', async () => {
  const { start, shown, rows, muster, reference, arrivals, keys, at } = await opened({}, 60)
  at(5, () => reference.misfortune.pause())
  const job = await start(rename(keys, 'Stopped {n:3}'))
  await until(async () => expect((await shown(job))?.state).toBe('paused'))
  await muster.call('jobs.control', { job, command: 'stop' })
  const { length } = arrivals.operations
  await reference.misfortune.resume()
  await whenRead(muster)
  await until(async () => expect(untrueNames(reference, await rows(job))).toEqual([]))
  expect((await shown(job))?.state).toBe('stopped')
  expect(outcomesOf(await rows(job)).has('pending')).toBe(false)
  expect(outcomesOf(await rows(job)).has('not-sent')).toBe(true)
  expect(arrivals.operations).toHaveLength(length)
})

test('a role that is lost in the middle is the reason of each rename that was refused or left', async () => {
  const { start, rows, whenState, tenants, muster, reference, arrivals, changes, keys, at } = await opened({}, 40)
  at(4, () => reference.credentials.setRole(reference.clientId, 'user'))
  const job = await start(rename(keys, 'Forbidden {n:3}'))
  await whenState(job, 'done')
  const found = await rows(job)
  expect(untrueNames(reference, found)).toEqual([])
  expect(found.filter(({ outcome }) => outcome === 'done').length).toBeGreaterThan(0)
  const refused = found.filter(({ outcome }) => outcome !== 'done')
  expect(refused.some(({ outcome }) => outcome === 'refused')).toBe(true)
  expect(refused.filter(({ obstacle }) => obstacle !== 'role')).toEqual([])
  expect([...outcomesOf(found)].filter((each) => !['done', 'refused', 'not-sent'].includes(each))).toEqual([])
  expect([arrivals.repeated(), repeatedOf(changes)]).toEqual([[], []])
  const [tenant] = await tenants()
  expect(tenant?.role).toEqual(expect.arrayContaining(['rename', 'move', 'update']))
  const { obstacles } = await muster.call('jobs.prepare', rename(keys.slice(0, 1), 'Again'))
  expect(obstacles).toEqual([{ obstacle: 'role', devices: 1 }])
})

test('a role that is lost in the middle of reboots is the reason of those refused or left', async () => {
  const { start, rows, whenState, reference, arrivals, keys, at } = await opened({ devices: 60 }, 40)
  at(4, () => reference.credentials.setRole(reference.clientId, 'user'))
  const job = await start(reboot(keys.slice(0, 12)), { waitMinutes: 2 })
  await whenState(job, 'done')
  const found = await rows(job)
  const by = (wanted: JobDevice['outcome']) => found.filter(({ outcome }) => outcome === wanted)
  expect(by('done').length).toBeGreaterThan(0)
  expect(by('done').length + by('refused').length + by('not-sent').length).toBe(12)
  expect(by('refused').length).toBeGreaterThan(0)
  expect([...by('refused'), ...by('not-sent')].filter(({ obstacle }) => obstacle !== 'role')).toEqual([])
  expect(arrivals.repeated()).toEqual([])
})

test('a device that alone is forbidden is refused, and the others are renamed', async () => {
  const { start, rows, whenState, tenants, reference, keys, at } = await opened({ devices: 60 }, 40)
  at(1, () => {
    reference.credentials.setRole(reference.clientId, 'user')
    at(2, () => reference.credentials.setRole(reference.clientId, 'admin'))
  })
  const job = await start(rename(keys.slice(0, 30), 'Other {n:2}'))
  await whenState(job, 'done')
  const found = await rows(job)
  expect(untrueNames(reference, found)).toEqual([])
  expect(found.filter(({ outcome }) => outcome !== 'done')).toMatchObject([{ outcome: 'refused', obstacle: 'role' }])
  expect((await tenants())[0]?.role).toEqual([])
})

test('a balance that is too small for a job makes it wait, and it goes on by itself', { timeout: 60_000 }, async () => {
  let factor = 1
  const { start, rows, whenState, muster, reference, changes, keys } = await opened({ priceFactor: () => factor })
  const states = new Set<string>()
  muster.core.on('actions', ({ jobs }) => void jobs.forEach(({ state }) => states.add(state)))
  // Less than an operation may cost, and more than the balance in all.
  factor = 190
  const job = await start(rename(keys, 'Poor {n:3}'))
  await whenState(job, 'done')
  expect(outcomesOf(await rows(job))).toEqual(new Set(['done']))
  expect([untrueNames(reference, await rows(job)), repeatedOf(changes), changes.length]).toEqual([[], [], keys.length])
  expect([...states].filter((each) => !['scheduled', 'running', 'done'].includes(each))).toEqual([])
})

test('an operation that would cost too much is sent as smaller ones', async () => {
  let factor = 1
  const { start, rows, whenState, reference, arrivals, changes, keys } = await opened({ priceFactor: () => factor })
  factor = 300
  const job = await start(rename(keys.slice(0, 50), 'Split {n:3}'))
  await whenState(job, 'done')
  const sizes = arrivals.operations.map(({ length }) => length)
  // The first device goes alone, and so shows what one costs.
  expect([sizes[0], Math.max(...sizes) < 25]).toEqual([1, true])
  expect([untrueNames(reference, await rows(job)), repeatedOf(changes), changes.length]).toEqual([[], [], 50])
})

test('devices that cost more than one operation may are not sent, and the job says why', async () => {
  let factor = 1
  const { start, shown, rows, muster, reference, changes, keys } = await opened({ priceFactor: () => factor })
  factor = 1_000_000
  const job = await start(rename(keys.slice(0, 30), 'Dear {n:3}'))
  await until(async () => expect((await shown(job))?.fault?.kind).toBe('cost-limit'))
  expect((await shown(job))?.state).toBe('paused')
  await muster.call('jobs.control', { job, command: 'stop' })
  await until(async () => expect(outcomesOf(await rows(job))).toEqual(new Set(['not-sent'])))
  expect([changes, untrueNames(reference, await rows(job))]).toEqual([[], []])
})
