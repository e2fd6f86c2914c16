import { afterEach, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/options.ts'
import type { ActionRequest, Job, JobPlan } from '../../src-shared/model/jobs.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
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

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const atOnce: JobPlan = { batch: null, waitMinutes: 5, stopAfter: null, at: null, includeInCall: true }

/** A console on a small fleet, armed. */
async function opened(options: ServiceOptions = {}, clock?: Clock, profile = temporaryProfile(leftovers)) {
  const now = clock === undefined ? {} : { now: clock.now }
  const reference = await service(leftovers, { devices: 60, tenants: 1, life: false, ...now, ...options })
  const muster = await openConsole(leftovers, profile, clock === undefined ? {} : { clock })
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const console = useOf(muster)
  await console.arm()
  const devices = reference.world.devices().filter(({ connected }) => connected === true)
  const sent = (name: string) => reference.operations().filter(({ operationName }) => operationName === name).length
  const { keys } = await console.keys()
  const keyOf = (id: string) => keys.find((key) => key.endsWith(`/${id}`)) ?? ''
  return { ...console, muster, reference, profile, sent, devices, keysOf: (ids: string[]) => ids.map(keyOf) }
}

function useOf(muster: Awaited<ReturnType<typeof openConsole>>) {
  const call = muster.call
  const tenants = async () => {
    await until(async () => expect((await call('actions.state', {})).tenants[0]?.offered).toContain('reboot'))
    return (await call('actions.state', {})).tenants
  }
  const shown = async (job: string) => (await call('jobs.show', { job })).job
  const rows = async (job: string) => (await call('jobs.devices', { job, outcomes: null, offset: 0, limit: 500 })).rows
  const arm = async () => {
    for (const { tenant } of await tenants()) await call('actions.arm', { tenant })
  }
  return {
    rows,
    shown,
    tenants,
    arm,
    keys: () =>
      call('inventory.keys', {
        query: { scope: 'all', filter: 'status:online', sort: [{ column: 'name', direction: 'asc' }] },
        offset: 0,
        limit: 200,
      }),
    prepare: (request: ActionRequest) => call('jobs.prepare', request),
    async start(request: ActionRequest, plan: Partial<JobPlan> = {}) {
      // By a fast clock the tenant may be locked again by now.
      await arm()
      // While the machine stalls, a fast clock takes the fleet for not visible.
      const { id, confirm } = await until(async () => {
        const sheet = await call('jobs.prepare', request)
        expect(sheet.ready).toBeGreaterThan(0)
        return sheet
      })
      return (await call('jobs.start', { sheet: id, confirmation: confirm ?? '', plan: { ...atOnce, ...plan } })).job
    },
    whenState: (job: string, state: Job['state']) =>
      until(async () => {
        const found = await shown(job)
        expect([found?.state, found?.fault, await rows(job)]).toEqual([state, null, expect.anything()])
        return found
      }, 40_000),
  }
}

const reboot = (keys: string[]): ActionRequest => ({ kind: 'reboot', targets: { keys }, linkedDevices: false })

test('a reboot is done when the drop and the return were seen, and says how long it took', async () => {
  const { start, whenState, rows, devices, keysOf, sent } = await opened({}, acceleratedClock(20))
  const job = await start(reboot(keysOf([devices[0]?.id ?? ''])))
  await whenState(job, 'done')
  const [row] = await rows(job)
  expect(row).toMatchObject({ outcome: 'done', provenBy: 'disconnect', backAfter: expect.any(Number) })
  expect(row?.backAfter).toBeGreaterThan(15_000)
  expect(sent('Reboot')).toBe(1)
})

test('a job shows what was refused, lost, ignored and seen by its check-in alone', async () => {
  const { start, whenState, rows, devices, keysOf, reference, sent, muster } = await opened({}, acceleratedClock(60))
  const [refused = '', lost = '', ignored = '', unseen = ''] = devices.map(({ id }) => id)
  reference.setRebootOutcome(refused, 'refused')
  reference.setRebootOutcome(lost, 'lost')
  reference.setRebootOutcome(ignored, 'ignored')
  reference.setRebootOutcome(unseen, 'unseen')
  const states: string[] = []
  muster.core.on('actions', ({ jobs }) => void states.push(jobs[0]?.state ?? ''))
  const job = await start(reboot(keysOf([refused, lost, ignored, unseen])), { waitMinutes: 3 })
  await whenState(job, 'done')
  const found = new Map((await rows(job)).map((row) => [row.key.split('/').at(-1), row]))
  expect(found.get(refused)).toMatchObject({ outcome: 'refused', words: expect.stringContaining('software update') })
  expect(found.get(lost)?.outcome).toBe('not-back')
  expect(found.get(ignored)?.outcome).toBe('unknown')
  expect(found.get(unseen)).toMatchObject({ outcome: 'done', provenBy: 'check-in' })
  expect(sent('Reboot')).toBe(4)
  await until(() => expect(states).toContain('done'))
  expect(states).toContain('running')
})

test('a reboot without a readable answer is unknown, and is not sent again', async () => {
  const { start, whenState, rows, devices, keysOf, reference, muster, arm } = await opened({}, acceleratedClock(60))
  const id = devices[0]?.id ?? ''
  reference.setRebootOutcome(id, 'ignored')
  let arrived = 0
  reference.misfortune.always('reset', {
    match: ({ operationName }) => {
      if (operationName === 'Reboot') arrived += 1
      return operationName === 'Reboot'
    },
  })
  const job = await start(reboot(keysOf([id])))
  await whenState(job, 'done')
  expect((await rows(job)).map(({ outcome }) => outcome)).toEqual(['unknown'])
  expect(arrived).toBe(1)
  await arm()
  const again = await muster.call('jobs.again', { job, outcomes: ['unknown'] })
  expect([again.total, again.ready]).toEqual([1, 1])
})

test('thirty devices are renamed in three operations, and the inventory shows it', async () => {
  const { start, whenState, devices, keysOf, sent, muster } = await opened()
  const keys = keysOf(devices.slice(0, 30).map(({ id }) => id))
  const job = await start({ kind: 'rename', targets: { keys }, pattern: 'Renamed {n:3}' })
  expect(await whenState(job, 'done')).toMatchObject({ counts: { done: 30 }, undoable: true })
  // The first device alone, and 25 at most in each other.
  expect(sent('UpdateDevices')).toBe(3)
  await until(async () => {
    const { device } = await muster.call('inventory.device', { key: keys[4] ?? '' })
    expect(device?.row.name).toMatch(/^Renamed \d{3}$/u)
  })
  const undo = await muster.call('jobs.undo', { job })
  const started = await muster.call('jobs.start', { sheet: undo.id, confirmation: undo.confirm ?? '', plan: atOnce })
  await whenState(started.job, 'done')
  await until(async () => expect((await muster.call('jobs.show', { job })).job?.undoable).toBe(false))
})

test('a moved device is in its new place in the inventory soon', async () => {
  const { start, whenState, devices, keysOf, reference, muster } = await opened({ devices: 300 })
  const device = devices.find(({ site }) => site !== null)
  const other = reference.world.devices().find(({ site }) => site !== null && site?.id !== device?.site?.id)?.site
  const [key = ''] = keysOf([device?.id ?? ''])
  const job = await start({ kind: 'move', targets: { keys: [key] }, site: other?.id ?? '', room: null })
  await whenState(job, 'done')
  expect(reference.world.device(device?.id ?? '')?.site?.id).toBe(other?.id)
  await until(async () => {
    const row = (await muster.call('inventory.device', { key })).device?.row
    expect([row?.site?.id, row?.room]).toEqual([other?.id, null])
  })
})

test('a CSV file updates names, a site is created, and both are in the history', async () => {
  const { start, whenState, devices, muster, tenants, reference, keysOf } = await opened()
  const [one = '', two = ''] = devices.map(({ id }) => id)
  const job = await start({ kind: 'update', text: `id,name\n${one},First\n${two},Second\n` })
  await whenState(job, 'done')
  expect([reference.world.device(one)?.name, reference.world.device(two)?.name]).toEqual(['First', 'Second'])
  const tenant = (await tenants())[0]?.tenant ?? ''
  const site = await start({ kind: 'site', tenant, id: null, name: 'Harbour' })
  expect(await whenState(site, 'done')).toMatchObject({ place: { kind: 'site', id: expect.any(String) } })
  const list = (text: string, device: string | null) => muster.call('jobs.list', { text, device, offset: 0, limit: 10 })
  expect((await list('', null)).rows.map(({ kind }) => kind)).toEqual(['site', 'update'])
  expect((await list('', keysOf([one])[0] ?? '')).rows.map(({ id }) => id)).toEqual([job])
  const { text } = await muster.call('jobs.export', { from: 0, until: Date.now() + 60_000, after: null })
  expect(text).toContain('Harbour')
})

test('after a stop in the middle the job is interrupted, and continues when it is unlocked', async () => {
  const clock = acceleratedClock(20)
  const first = await opened({}, clock)
  const keys = first.keysOf(first.devices.slice(0, 3).map(({ id }) => id))
  const job = await first.start(reboot(keys), { batch: 1 })
  await until(() => expect(first.sent('Reboot')).toBe(1))
  await first.muster.stop()
  const muster = await openConsole(leftovers, first.profile, { clock })
  const second = useOf(muster)
  expect((await second.shown(job))?.state).toBe('interrupted')
  const [connection] = (await muster.call('app.state', {})).connections
  await expect(muster.call('jobs.control', { job, command: 'continue' })).rejects.toMatchObject({
    fault: { kind: 'locked' },
  })
  await muster.call('connections.save', connectionTo(first.reference, { id: connection?.id ?? null }))
  await whenRead(muster)
  await second.arm()
  await muster.call('jobs.control', { job, command: 'continue' })
  await second.whenState(job, 'done')
  expect((await second.rows(job)).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
  expect(first.sent('Reboot')).toBe(3)
})

test('a locked tenant starts no job; the sheet starts once it is unlocked, and only once', async () => {
  const { prepare, muster, devices, keysOf, arm, sent } = await opened()
  const sheet = await prepare(reboot(keysOf([devices[0]?.id ?? ''])))
  await muster.call('actions.lock', {})
  const start = () => muster.call('jobs.start', { sheet: sheet.id, confirmation: '', plan: atOnce })
  await expect(start()).rejects.toMatchObject({ fault: { kind: 'locked' } })
  expect(sent('Reboot')).toBe(0)
  await arm()
  const [one, other] = await Promise.allSettled([start(), start()])
  expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  await until(() => expect(sent('Reboot')).toBe(1))
})

test('what the role forbids is refused with that reason, and is not offered any more', async () => {
  const { start, whenState, rows, devices, keysOf, muster } = await opened({
    profile: 'contrary',
    contrary: { mutationRole: 'none' },
  })
  const job = await start(reboot(keysOf([devices[0]?.id ?? ''])))
  await whenState(job, 'done')
  expect(await rows(job)).toMatchObject([{ outcome: 'refused', obstacle: 'role' }])
  const [tenant] = (await muster.call('actions.state', {})).tenants
  expect([tenant?.role, tenant?.offered]).toEqual([['reboot'], expect.not.arrayContaining(['reboot'])])
})

test('a service without these mutations offers nothing, and a sheet says so', async () => {
  const reference = await service(leftovers, {
    devices: 20,
    tenants: 1,
    profile: 'contrary',
    contrary: { mutations: 'none' },
  })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const { keys } = await useOf(muster).keys()
  const { obstacles } = await muster.call('jobs.prepare', reboot(keys.slice(0, 1)))
  expect(obstacles).toEqual([{ obstacle: 'not-offered', devices: 1 }])
  expect((await muster.call('actions.state', {})).tenants).toMatchObject([{ offered: [], role: [] }])
})

test('a scheduled job starts at its time, and a stopped one sends nothing more', async () => {
  const clock = acceleratedClock(20)
  const { start, whenState, shown, devices, keysOf, sent, muster } = await opened({}, clock)
  const keys = keysOf(devices.slice(0, 4).map(({ id }) => id))
  const at = clock.now() + 20_000
  const job = await start(reboot(keys.slice(0, 1)), { at })
  expect((await shown(job))?.state).toBe('scheduled')
  await until(() => expect(sent('Reboot')).toBe(1))
  expect(clock.now()).toBeGreaterThanOrEqual(at)
  await whenState(job, 'done')
  const stopped = await start(reboot(keys.slice(1)), { batch: 1 })
  await until(() => expect(sent('Reboot')).toBe(2))
  await muster.call('jobs.control', { job: stopped, command: 'stop' })
  expect(await whenState(stopped, 'stopped')).toMatchObject({ counts: { 'not-sent': 2 } })
})

test('a job stops by itself after a device that does not come back', async () => {
  const { start, whenState, rows, devices, keysOf, reference, sent } = await opened({}, acceleratedClock(60))
  const ids = devices.slice(0, 3).map(({ id }) => id)
  reference.setRebootOutcome(ids[0] ?? '', 'lost')
  const job = await start(reboot(keysOf(ids)), { batch: 1, waitMinutes: 2, stopAfter: 1 })
  await whenState(job, 'stopped')
  expect((await rows(job)).map(({ outcome }) => outcome)).toEqual(['not-back', 'not-sent', 'not-sent'])
  expect(sent('Reboot')).toBe(1)
})
