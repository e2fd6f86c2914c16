import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import type { DeviceRow } from '../../../src-shared/model/inventory.ts'

export const now = new Date(2026, 2, 4, 12, 0, 0).getTime()
export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

export const row: DeviceRow = {
  key: 's/t/1',
  id: '1',
  name: 'Aurora',
  hardwareModel: 'X50',
  status: 'disconnected',
  connected: false,
  lastDetected: null,
  lastConfigRequestDate: null,
  account: null,
  site: null,
  room: null,
  tenant: { key: 's/t', id: 't', name: 'Tenant', region: null },
  since: { at: now - 134 * minute, kind: 'seen' },
  seenAt: now - 5 * minute,
  placedAt: now - 5 * minute,
  extra: {},
}

export const connection: ConnectionState = {
  id: 'c',
  name: 'Berlin',
  demo: false,
  tokenUrl: '',
  graphqlUrl: '',
  subscriptionUrl: '',
  clientId: '',
  hasCa: false,
  hasSubscription: false,
  portal: '',
  paused: false,
  heardAt: null,
  secret: 'keychain',
  link: { state: 'live', since: now },
  sync: { state: 'idle' },
  lastEventAt: null,
  lastReadingAt: now - hour,
  faults: [],
  checks: [],
}

export const gauge: Gauge = {
  name: 'a',
  connections: ['c'],
  limit: 100_000,
  remaining: 84_200,
  resetAt: now + 22_400,
  known: true,
  basis: 'headers',
  burned: { person: 0, reconcile: 0, visible: 0, background: 0 },
  activities: [],
  others: 0,
  reserve: 10_000,
  forOthers: 0,
  ceiling: null,
  paused: false,
  recent: [],
  waiting: 0,
  waits: [],
  forecast: null,
  rejections: { count: 0, at: null },
}
