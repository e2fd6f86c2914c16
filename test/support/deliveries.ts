import type { StoredDelivery } from '../../src-main/incidents/stored/delivery.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import { textMessage } from './messages.ts'

/** When `manualClock` begins, ms. */
export const begin = Date.parse('2026-11-21T03:00:00Z')

export const notificationOf = (over: Partial<Notification> = {}): Notification => ({
  id: 'n1',
  at: begin,
  kind: 'offline',
  message: textMessage('Studio a is offline', 'Acme'),
  devices: 1,
  open: { scope: 'all', filter: '', device: null, incident: 'i1' },
  ...over,
})

/** A message that waits and is due at once. Its notification has an id of its own unless one is given. */
export const deliveryOf = (id: string, over: Partial<StoredDelivery> = {}): StoredDelivery => ({
  id,
  channel: 'hook',
  channelName: 'Hook',
  alert: 'i1',
  action: 'notify',
  severity: 'major',
  places: ['Berlin', 'Acme'],
  notification: notificationOf({ id: `n-${id}` }),
  incidents: ['i1'],
  about: ['test/acme/'],
  at: begin,
  dueAt: begin,
  begins: true,
  unlessTaken: false,
  givenUpAt: begin + 3 * 24 * 3_600_000,
  rulePlaces: [],
  state: 'waiting',
  attempts: 0,
  nextAt: begin,
  settledAt: null,
  to: [],
  reason: '',
  ...over,
})
