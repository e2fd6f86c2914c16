import type { JobRecord, JobTarget, StoredJob } from '../../../../../src-main/storage/journal/job-records.ts'

/** A job and a device of it, to be changed. */
export const record = (id: string, over: Partial<JobRecord> = {}): JobRecord => ({
  id,
  kind: 'reboot',
  place: null,
  tenants: [{ key: 's/t', name: 'Initech' }],
  plan: { batch: 5, waitMinutes: 10, stopAfter: null, at: null, includeInCall: false },
  fault: null,
  createdAt: 100,
  startedAt: null,
  endedAt: null,
  undoes: null,
  state: 'running',
  linkedDevices: false,
  fields: null,
  ...over,
})

export const target = (key: string, over: Partial<JobTarget> = {}): JobTarget => ({
  key,
  id: key.slice(key.lastIndexOf('/') + 1),
  name: `Name of ${key}`,
  tenant: { key: key.slice(0, key.lastIndexOf('/')), name: 'Initech' },
  site: { id: 's1', name: 'Berlin' },
  room: { id: 'r1', name: 'Attic' },
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
  droppedAt: null,
  backAt: null,
  checkIn: null,
  ...over,
})

export const job = (id: string, keys: readonly string[], over: Partial<JobRecord> = {}): StoredJob => ({
  record: record(id, over),
  targets: keys.map((key) => target(key)),
})

/** A job of which every device was renamed and is done. */
export const renamed = (id: string, keys: readonly string[], over: Partial<JobRecord> = {}): StoredJob => ({
  record: record(id, { kind: 'rename', state: 'done', endedAt: 200, ...over }),
  targets: keys.map((key) =>
    target(key, { outcome: 'done', before: { name: `Old ${key}` }, after: { name: `New ${key}` }, provenBy: 'answer' }),
  ),
})
