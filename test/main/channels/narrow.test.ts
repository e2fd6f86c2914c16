import { expect, test } from 'vitest'
import { narrowed } from '../../../src-main/channels/narrow.ts'
import { emptyIncident, type Incident } from '../../../src-main/incidents/engine/incident.ts'
import type { MonitoringLoss } from '../../../src-main/incidents/engine/state.ts'
import type { Notification } from '../../../src-shared/model/inventory.ts'
import { messageTitle } from '../../../src-shared/text/messages.ts'
import { everyRule } from '../../support/channels.ts'
import { begin, notificationOf } from '../../support/deliveries.ts'

const rule = everyRule({ places: [{ node: 't:s/acme', name: 'Acme' }] })
const loss = (name: string, since: number): MonitoringLoss => ({
  tenant: `s/${name.toLowerCase()}`,
  name,
  partial: false,
  since,
  lostAt: since,
  noticedAt: since,
  notificationId: 'n1',
  restoredAt: null,
  waitUntil: 0,
})
const lost = new Map([loss('Acme', begin), loss('Beta', begin - 1000)].map((one) => [one.tenant, one]))
const about = ['s/acme/', 's/beta/']
const of = (message: Notification['message']) => notificationOf({ message, devices: 9 })
const title = ({ message }: Notification) => messageTitle(message, (at) => String(at - begin))

const both = [
  { name: 'Acme', partial: false },
  { name: 'Beta', partial: false },
]

test('lost monitoring is told of the tenants of a rule alone, and of all without places', () => {
  const content = of({ kind: 'monitoring-lost', tenants: both, count: 2, all: true, since: begin - 1000 })
  const wanted = { incidents: [], matching: [], about, lost, drops: new Map(), keys: [] }
  const told = narrowed(content, rule, wanted)
  expect([title(told), told.open, told.devices]).toEqual([
    'Monitoring lost for Acme since 0',
    { scope: 't:s/acme', filter: '', device: null },
    0,
  ])
  expect(narrowed(content, everyRule(), wanted)).toBe(content)
})

test('restored monitoring is told of the tenants of a rule alone, with what was found in them', () => {
  const down = incident('a', 'outage', 2)
  const content = of({
    kind: 'monitoring-restored',
    tenants: ['Acme', 'Beta'],
    count: 2,
    all: 5,
    open: 4,
    beside: 3,
    behind: true,
    headlines: [],
    total: 5,
  })
  const told = narrowed(content, rule, { incidents: [down], matching: [down], about, lost, drops: new Map(), keys: [] })
  expect(told.message).toMatchObject({
    tenants: ['Acme'],
    count: 1,
    all: 1,
    open: 1,
    beside: 0,
    behind: true,
    total: 1,
  })
  expect(told.devices).toBe(2)
})

function incident(id: string, kind: Incident['kind'], down: number): Incident {
  const empty = emptyIncident(id, begin)
  return { ...empty, kind, extent: { ...empty.extent, down }, message: { kind: 'text', title: [id], body: [] } }
}

test('of several incidents those that match are summed up, what flaps by itself', () => {
  const all = [incident('a', 'outage', 2), incident('b', 'flapping', 3), incident('c', 'outage', 50)]
  const content = of({ kind: 'absence', all: 3, open: 3, headlines: [], total: 3 })
  const told = narrowed(content, rule, {
    incidents: all,
    matching: all.slice(0, 2),
    about,
    lost,
    drops: new Map(),
    keys: [],
  })
  expect(told.message).toMatchObject({ kind: 'storm', offline: 2, flapping: 3, total: 2 })
  expect([told.devices, told.open.filter, title(told)]).toEqual([
    5,
    'connected:no',
    '2 devices offline, 3 devices flapping',
  ])
  const [one] = all
  expect(
    title(
      narrowed(content, rule, {
        incidents: all,
        matching: one === undefined ? [] : [one],
        about,
        lost,
        drops: new Map(),
        keys: [],
      }),
    ),
  ).toBe('a')
})
