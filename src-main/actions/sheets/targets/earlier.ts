import { FaultError } from '../../../../src-shared/model/fault.ts'
import { lineOfKey } from '../../../../src-shared/model/job-lines.ts'
import type { ActionRequest, DeviceValues, Obstacle, Outcome } from '../../../../src-shared/model/jobs.ts'
import type { ReadDevice } from '../../../api/mutations/mutations.ts'
import type { JobTarget, StoredJob } from '../../../storage/journal/job-records.ts'
import { keyDrafts, setName, setPlaces, type Draft, type DraftData } from './drafts.ts'

/** Returns the devices of a job that have one of these outcomes. Throws `input` where there is none. */
export function againTargets({ targets }: StoredJob, outcomes: readonly Outcome[]): JobTarget[] {
  // A line that names no known device, or one that an earlier line names, was never to be sent.
  const found = targets.filter(({ key, outcome }) => lineOfKey(key) === null && outcomes.includes(outcome))
  if (found.length === 0) throw new FaultError('input', 'outcomes: No device of this job has such an outcome.')
  return found
}

/** Returns the devices of a job that may get their former values. Throws `input` where there is none. */
export function undoTargets({ record, targets }: StoredJob): JobTarget[] {
  if (record.kind !== 'rename' && record.kind !== 'move' && record.kind !== 'update')
    throw new FaultError('input', 'job: Only new names and places of devices can be undone.')
  const found = targets.filter(({ outcome, before }) => outcome === 'done' && Object.keys(before).length > 0)
  if (found.length === 0) throw new FaultError('input', 'job: No device of this job was changed.')
  return found
}

/** Returns the request of a sheet that repeats or undoes a job: its kind and devices; each row has its own values. */
export function earlierRequest({ record }: StoredJob, targets: readonly JobTarget[]): ActionRequest {
  const devices = { keys: targets.map(({ key }) => key) }
  switch (record.kind) {
    case 'reboot':
      return { kind: 'reboot', targets: devices, linkedDevices: record.linkedDevices }
    case 'rename':
      return { kind: 'rename', targets: devices, pattern: '{name}' }
    case 'move':
      return { kind: 'move', targets: devices, site: null, room: null }
    default:
      return { kind: 'update', text: '' }
  }
}

/** Returns the devices of a job as they are today, without new values. */
export const earlierDrafts = async (data: DraftData, targets: readonly JobTarget[], now: number): Promise<Draft[]> => {
  const drafts = await keyDrafts(
    data,
    targets.map(({ key }) => key),
    now,
  )
  const named = new Map(targets.map(({ key, name }) => [key, name]))
  return drafts.map((draft) => (draft.device === null ? { ...draft, name: named.get(draft.key) ?? draft.name } : draft))
}

/** Sets the values that the devices get: `after` of the job again, or `before` to undo it. */
export async function setValues(
  data: DraftData,
  drafts: readonly Draft[],
  targets: readonly JobTarget[],
  which: 'before' | 'after',
): Promise<void> {
  const byKey = new Map(targets.map((target) => [target.key, target]))
  for (const draft of drafts) {
    const name = byKey.get(draft.key)?.[which].name
    if (draft.device !== null && name !== undefined) setName(draft, name)
  }
  await setPlaces(
    data,
    drafts,
    (draft) => {
      const target = byKey.get(draft.key)
      return target === undefined ? null : wantedPlace(target, target[which])
    },
    false,
  )
}

/** A room without a site is one of the site in which the device was: that stayed. */
function wantedPlace({ site: siteThen }: JobTarget, { site, room }: DeviceValues): Wanted | null {
  if (site === undefined && room === undefined) return null
  const inSite = site === undefined && room !== undefined && room !== null ? (siteThen ?? undefined) : site
  return {
    site: inSite === undefined ? undefined : (inSite?.id ?? null),
    room: room === undefined ? undefined : (room?.id ?? null),
  }
}

interface Wanted {
  site: string | null | undefined
  room: string | null | undefined
}

/**
 * Returns a device of an undo with the values that the service shows now, or with what stands in the way: it cannot be
 * read (`unknown`), or it shows other values than the job wrote (`changed-since`).
 */
export function checkedDraft(draft: Draft, target: JobTarget, read: ReadDevice | null | undefined): Draft {
  const { device } = draft
  if (device === null) return draft
  const obstacle = read === null || read === undefined ? 'unknown' : differenceOf(target.after, read)
  const now = {
    ...device,
    ...(read?.name !== undefined && { name: read.name }),
    ...(read?.site !== undefined && { site: read.site }),
    ...(read?.room !== undefined && { room: read.room }),
  }
  return {
    ...draft,
    device: now,
    name: now.name,
    obstacles: [...draft.obstacles, ...(obstacle === null ? [] : [obstacle])],
  }
}

/** Returns why a device does not show the values that were written; null: it does. */
function differenceOf({ name, site, room }: DeviceValues, read: ReadDevice): Obstacle | null {
  const isUnread =
    (name !== undefined && read.name === undefined) ||
    (site !== undefined && read.site === undefined) ||
    (room !== undefined && read.room === undefined)
  if (isUnread) return 'unknown'
  const isSame =
    (name === undefined || read.name === name) &&
    (site === undefined || read.site?.id === site?.id) &&
    (room === undefined || read.room?.id === room?.id)
  return isSame ? null : 'changed-since'
}
