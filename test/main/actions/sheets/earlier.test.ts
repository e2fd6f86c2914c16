import { afterEach, expect, test } from 'vitest'
import type { ReadDevice } from '../../../../src-main/api/mutations/mutations.ts'
import type { SheetJob } from '../../../../src-main/actions/sheets/sheets.ts'
import type { StoredJob } from '../../../../src-main/storage/journal/job-records.ts'
import type { ActionRequest, Outcome } from '../../../../src-shared/model/jobs.ts'
import { settle } from '../../../support/clock.ts'
import { keyOf, openWorld, plan, tenantKey } from './sheet-world.ts'

const service = new Map<string, ReadDevice | null>()
let world: ReturnType<typeof openWorld>
function open() {
  service.clear()
  world = openWorld({ read: (id) => service.get(id) ?? null })
  world.devices([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
}
afterEach(() => world.close())

const input = (detail: string) => ({ fault: { kind: 'input', detail: expect.stringContaining(detail) } })
const targets = { keys: ['a', 'b', 'c'].map((id) => keyOf(id)) }
const stored = ({ record, targets }: SheetJob, outcomes: Outcome[]): StoredJob => ({
  record: { ...record, id: 'job', plan, fault: null, state: 'done', createdAt: 0, startedAt: 0, endedAt: 0 },
  targets: targets.map((target, at) => ({ ...target, outcome: outcomes[at] ?? target.outcome })),
})
async function done(request: ActionRequest, ...outcomes: Outcome[]): Promise<StoredJob> {
  return stored(world.sheets.take((await world.sheets.prepare(request)).id, '', plan), outcomes)
}
const rename = (pattern: string, ...outcomes: Outcome[]) => done({ kind: 'rename', targets, pattern }, ...outcomes)

test('an undo returns the former names where the service still shows ours', async () => {
  open()
  const job = await rename('New {id}', 'done', 'done', 'refused')
  service.set('a', { id: 'a', name: 'New a' }).set('b', { id: 'b', name: 'By somebody' })
  const sheet = await world.sheets.undo(job)
  expect(world.rows(sheet)).toMatchObject([
    { name: 'By somebody', obstacle: 'changed-since', after: { name: 'Studio b' } },
    { name: 'New a', obstacle: null, before: { name: 'New a' }, after: { name: 'Studio a' } },
  ])
  expect(sheet.request.kind).toBe('rename')
  expect(world.sheets.take(sheet.id, '', plan).record).toMatchObject({ kind: 'rename', undoes: 'job' })
})

test('an undo does not trust the inventory, which may still have the former name', async () => {
  open()
  const job = await rename('New {id}', 'done')
  service.set('a', { id: 'a', name: 'New a' })
  expect((await world.sheets.undo(job)).ready).toBe(1)
})

test('what cannot be read is unknown to an undo, and a device that has gone is gone', async () => {
  open()
  const job = await rename('New {id}', 'done', 'done', 'done')
  service.set('a', null).set('b', { id: 'b' }).set('c', { id: 'c', name: 'New c' })
  world.calls.page({
    service: 'https://service.test',
    tenant: 'acme',
    connection: 'c1',
    generation: 9,
    requestOrder: 99,
    at: 9,
    next: null,
    devices: [],
  })
  expect(world.obstacles(await world.sheets.undo(job))).toEqual({
    'Studio a': 'unknown',
    'Studio b': 'unknown',
    'New c': null,
  })
  world.calls.finish({ service: 'https://service.test', tenant: 'acme', generation: 9, at: 9, connection: 'c1' })
  expect(Object.values(world.obstacles(await world.sheets.undo(job)))).toEqual(['gone', 'gone', 'gone'])
})

test('an undo waits a minute for its reads at most', async () => {
  open()
  const job = await rename('New {id}', 'done')
  world.mutations.read = () => new Promise(() => {})
  const prepared = world.sheets.undo(job)
  await settle()
  await world.clock.advance(60_000)
  expect(world.obstacles(await prepared)).toEqual({ 'Studio a': 'unknown' })
})

test('an undo of a move returns to the former room, where that still exists', async () => {
  open()
  const job = await done({ kind: 'move', targets, site: 's2', room: 'r2' }, 'done', 'done', 'done')
  const moved = { site: { id: 's2', name: 'Paris' }, room: { id: 'r2', name: 'Room 2' } }
  for (const id of ['a', 'b']) service.set(id, { id, ...moved })
  service.set('c', { id: 'c', ...moved, room: null })
  const rows = world.rows(await world.sheets.undo(job))
  expect(rows.map(({ obstacle }) => obstacle)).toEqual(['changed-since', null, null])
  expect(rows[1]?.after).toEqual({ site: { id: 's1', name: 'Berlin' }, room: { id: 'r1', name: 'Room 1' } })
})

test('a reboot, and a job that changed nothing, cannot be undone', async () => {
  open()
  for (const id of ['a', 'b', 'c']) service.set(id, { id, call: 'free' })
  const reboot = await done({ kind: 'reboot', targets, linkedDevices: false }, 'done')
  await expect(world.sheets.undo(reboot)).rejects.toMatchObject(input('can be undone'))
  await expect(world.sheets.undo(await rename('New {id}', 'refused', 'unknown', 'not-sent'))).rejects.toMatchObject(
    input('No device'),
  )
})

test('a job is prepared again for the devices with an outcome, with its values and from today', async () => {
  open()
  const job = await rename('New {n}', 'done', 'refused', 'unknown')
  world.devices([
    { id: 'b', name: 'New 2' },
    { id: 'c', name: 'Today' },
  ])
  const sheet = await world.sheets.again(job, ['refused', 'unknown'])
  expect(world.rows(sheet)).toMatchObject([
    { name: 'New 2', obstacle: 'unchanged' },
    { name: 'Today', obstacle: null, before: { name: 'Today' }, after: { name: 'New 3' } },
  ])
  await expect(world.sheets.again(job, ['pending'])).rejects.toMatchObject(input('No device'))
})

test('a reboot again reads the calls again', async () => {
  open()
  for (const id of ['a', 'b', 'c']) service.set(id, { id, call: 'free' })
  const job = await done({ kind: 'reboot', targets, linkedDevices: true }, 'not-back', 'done', 'done')
  service.set('a', { id: 'a', call: 'in-call' })
  const sheet = await world.sheets.again(job, ['not-back'])
  expect(sheet).toMatchObject({ total: 1, inCall: 1, request: { kind: 'reboot', linkedDevices: true } })
})

test('a line that an earlier one overruled is not prepared again', async () => {
  open()
  const job = await done({ kind: 'update', text: 'id,name\na,One\na,Two\nnosuch,Three' }, 'done')
  await expect(world.sheets.again(job, ['not-sent'])).rejects.toMatchObject(input('No device'))
})

test('a place is prepared again from its job', async () => {
  open()
  const request = { kind: 'room', tenant: tenantKey('acme'), id: null, site: 's1', name: 'New', capacity: 4 } as const
  const job = await done(request, 'refused')
  expect((await world.sheets.again(job, ['refused'])).request).toMatchObject(request)
})
