import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type StartedData, startData } from '../../../src-main/inventory/thread/client.ts'
import { incident, member, noDelta } from '../storage/journal/deltas.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

const thread = join(import.meta.dirname, '../../../src-main/inventory/thread/thread.ts')
const day = 24 * 3600_000

let temp: ReturnType<typeof tempProfile>
let started: StartedData
beforeEach(async () => {
  temp = tempProfile()
  started = await startData({ profile: temp.profile, thread })
})
afterEach(async () => {
  await started.stop()
  temp.remove()
})

const closedOf = async (text: string) => {
  const { rows, total, all } = await started.data.closedIncidents({ text, offset: 0, limit: 10 })
  return { ids: rows.map(({ id }) => id), total, all }
}

test('incidents over the thread: written once, found again', async () => {
  const { data } = started
  const open = incident('open', { openedAt: 5 })
  const events = [{ incident: 'open', at: 5, what: 'opened', detail: '3 devices' }]
  await data.saveAlerts({
    ...noDelta,
    incidents: [open, incident('closed', { openedAt: 7, closedAt: 9, subject: 'd:x' })],
    members: [member('open', 's/t/a')],
    events,
  })
  expect(await data.alerts({ since: 0 })).toMatchObject({ incidents: [open], recent: [], drops: [] })
  expect(await data.storedIncident({ id: 'open' })).toEqual({ incident: open, events })
  expect(await data.storedIncident({ id: 'none' })).toBeNull()
  expect((await data.incidentsBetween({ from: 8, until: 8 })).map(({ id }) => id)).toEqual(['open', 'closed'])
  expect(await data.incidentMembers({ id: 'open', offset: 0, limit: 5 })).toEqual({
    total: 1,
    rows: [{ ...member('open', 's/t/a'), tenant: '', site: null }],
  })
  expect(await data.recurrence({ subjects: ['d:x', 'nothing', 's:s/t/berlin', 'd:x'], since: 6 })).toEqual([1, 0, 0, 1])
})

test('closed incidents are found by text in any case and script, with literal wildcards', async () => {
  const words = [
    '12 devices offline in Köln',
    'ΣΊΣΥΦΟΣ offline',
    '100 % of Room_1',
    'back\\slash',
    '100 devices of RoomX1',
  ]
  await started.data.saveAlerts({
    ...noDelta,
    incidents: words.map((searchText, n) => incident(`i${n}`, { searchText, closedAt: 100 - n })),
  })
  expect(await closedOf('')).toEqual({ ids: ['i0', 'i1', 'i2', 'i3', 'i4'], total: 5, all: 5 })
  expect(await closedOf('KÖLN')).toEqual({ ids: ['i0'], total: 1, all: 5 })
  expect((await closedOf('koln')).ids).toEqual(['i0'])
  expect((await closedOf('σίσυφος')).ids).toEqual(['i1'])
  expect((await closedOf('%')).ids).toEqual(['i2'])
  expect((await closedOf('room_')).ids).toEqual(['i2'])
  expect((await closedOf('\\')).ids).toEqual(['i3'])
  expect((await closedOf(' OFFLINE ')).ids).toEqual(['i0', 'i1'])
  expect(await closedOf('nothing of it')).toEqual({ ids: [], total: 0, all: 5 })
})

test('policies and actions over the thread', async () => {
  const { data } = started
  const { action } = await data.savePolicies({
    policies: [{ kind: 'zone', id: 'all', value: 'Europe/Berlin' }],
    action: { at: 1, kind: 'zone', before: null },
  })
  expect(await data.policies()).toEqual([{ kind: 'zone', id: 'all', value: 'Europe/Berlin' }])
  expect(await data.action({ id: action })).toEqual({ at: 1, kind: 'zone', before: null })
  await data.markUndone({ id: action })
  expect(await data.action({ id: action })).toBeNull()
})

test('old entries are pruned a little at a time, until none is left', async () => {
  const { data } = started
  await data.tenants({ service, connection, tenants: [acme], at: 0 })
  await data.page(pageOf([fact('a')]))
  await data.events({
    service,
    events: Array.from({ length: 700 }, (_, n) => event('a', { connected: n % 2 === 1, order: 10 + n, at: 2000 + n })),
  })
  const went: number[] = []
  while (went.at(-1) !== 0) went.push((await data.prune({ now: 500 * day })).deleted)
  expect(went.length).toBeGreaterThan(4)
  expect(went.reduce((sum, gone) => sum + gone)).toBe(700)
  expect((await data.device({ key: key('a') })).device).toMatchObject({ transitions: [], row: { connected: true } })
  // Of what the journal keeps no longer nobody can tell how it was.
  expect(
    await data.availability({
      subject: { device: key('a') },
      from: 99 * day,
      until: 101 * day,
      parts: 2,
      now: 500 * day,
    }),
  ).toEqual({
    devices: 1,
    drops: 0,
    reportedSince: null,
    parts: [
      { up: 0, down: 0, unseen: day, reported: 0 },
      { up: day, down: 0, unseen: 0, reported: 0 },
    ],
  })
})
