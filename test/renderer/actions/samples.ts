import type { ActionsState, Job, JobDevice, TenantActions } from '../../../src-shared/model/jobs.ts'
import { now } from '../support/samples.ts'

export const tenant: TenantActions = {
  tenant: 's/t',
  name: 'Acme',
  offered: ['reboot', 'rename', 'move', 'update', 'site', 'room'],
  role: [],
  unknown: [],
  linkedDevices: true,
  armedUntil: null,
}

export const actionsState = (more: Partial<ActionsState> = {}): ActionsState => ({
  off: null,
  lockEvents: true,
  tenants: [tenant],
  jobs: [],
  ...more,
})

export const job: Job = {
  id: 'j',
  kind: 'reboot',
  place: null,
  tenants: [{ key: 's/t', name: 'Acme' }],
  devices: 12,
  counts: { pending: 4, sent: 1, done: 5, refused: 1, 'not-sent': 0, unknown: 1, 'not-back': 0 },
  plan: { batch: null, waitMinutes: 10, stopAfter: null, at: null, includeInCall: false },
  state: 'running',
  fault: null,
  createdAt: now,
  startedAt: now,
  endedAt: null,
  undoable: false,
  undoes: null,
}

export const jobDevice: JobDevice = {
  key: 's/t/1',
  name: 'Aurora',
  tenant: { key: 's/t', name: 'Acme' },
  site: { id: '1', name: 'Berlin' },
  room: null,
  before: {},
  after: {},
  outcome: 'pending',
  obstacle: null,
  words: null,
  sentAt: null,
  answeredAt: null,
  provenAt: null,
  provenBy: null,
  backAfter: null,
}
