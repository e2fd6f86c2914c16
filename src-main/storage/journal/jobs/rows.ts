import { fromJson, toJson } from '../json.ts'
import type { DeviceValues } from '../../../../src-shared/model/jobs.ts'
import type { JobRecord, JobTarget } from '../job-records.ts'
import { type JobText, outcomesInOrder, readJobText, readKind, readTargetText, readTenants } from './values.ts'

/** A row of the journal's tables `job` and `job_device`, as SQLite returns it. */
export type Row = Record<string, unknown>

/** The columns of `job` and `job_device` that a record and a target are read from. */
export const jobColumns =
  'job.number, job.id, job.kind, job.created_at, job.ended_at, job.undoes, job.tenants, job.text AS job_text'
export const deviceColumns = 'job_device.position, job_device.key, job_device.outcome, job_device.text'

/** Returns the job of a row; null when the row is damaged. */
export function recordOf(row: Row): JobRecord | null {
  const kind = readKind(row['kind'])
  const tenants = readTenants(fromJson(row['tenants']))
  const text = readJobText(fromJson(row['job_text']))
  const { id, created_at: createdAt, ended_at: endedAt, undoes } = row
  if (kind === null || tenants === null || text === null) return null
  if (typeof id !== 'string' || typeof createdAt !== 'number') return null
  return {
    ...text,
    id,
    kind,
    tenants,
    createdAt,
    endedAt: typeof endedAt === 'number' ? endedAt : null,
    undoes: typeof undoes === 'string' ? undoes : null,
  }
}

/** Returns the device of a row; null when the row is damaged. */
export function targetOf(row: Row): JobTarget | null {
  const outcome = outcomesInOrder[Number(row['outcome'])]
  const text = readTargetText(fromJson(row['text']))
  const key = row['key']
  if (outcome === undefined || text === null || typeof key !== 'string') return null
  return { ...text, key, outcome }
}

/** Returns the JSON of a job without what has columns. */
export function jobText({ state, startedAt, plan, fault, place, linkedDevices, fields, owner }: JobText): string {
  const text: JobText = { state, startedAt, plan, fault, place, linkedDevices, fields }
  return toJson(owner === undefined ? text : { ...text, owner })
}

/** Returns the columns of a device after its key, in the order outcome, has_before, search_text, text. */
export function targetCells(target: JobTarget): [number, number, string, string] {
  const { key: _key, outcome, ...text } = target
  const number = outcomesInOrder.indexOf(outcome)
  return [
    number,
    Number(Object.values(target.before).some((value) => value !== undefined)),
    searchTextOf(target),
    toJson(text),
  ]
}

/** Returns what a search finds a device by, each text once. */
function searchTextOf({ key, id, name, tenant, site, room, before, after, words }: JobTarget): string {
  const texts = [name, key, id, tenant.name, site?.name, room?.name, ...namesIn(before), ...namesIn(after), words]
  return [...new Set(texts)].filter((text) => typeof text === 'string' && text !== '').join('\n')
}

const namesIn = ({ name, site, room }: DeviceValues) => [name, site?.name, room?.name]

/** Returns what a search finds a job by, beside its devices. */
export const jobSearchText = ({ kind, place, fields, tenants, fault }: JobRecord): string =>
  [kind, place?.name, fields?.name, fault?.detail, ...tenants.map(({ name }) => name)].join('\n')
