import { FaultError } from '../../../src-shared/model/fault.ts'
import { keyOfLine } from '../../../src-shared/model/job-lines.ts'
import type { JobPlan } from '../../../src-shared/model/jobs.ts'
import { unanswered, type JobTarget } from '../../storage/journal/job-records.ts'
import type { PreparedRow } from './assess.ts'
import type { PlaceOptions } from './place.ts'
import { confirmOf, isReady, type PreparedSheet } from './sheet.ts'
import type { SheetJob } from './sheets.ts'

/**
 * Returns the job of a sheet. A device on which another job acts since is not sent. Throws `input` where the confirmation
 * is not what the sheet asks for, no device can be done, or another job writes the same place.
 */
export function jobOf(
  sheet: PreparedSheet,
  confirmation: string,
  { includeInCall }: Pick<JobPlan, 'includeInCall'>,
  { isBusy, placeConflict }: Pick<PlaceOptions, 'isBusy' | 'placeConflict'>,
): SheetJob {
  const { request, rows, place } = sheet
  checkConfirmation(sheet, confirmation, includeInCall)
  const conflict = place === null ? null : placeConflict(place.place, place.at)
  if (conflict !== null) throw new FaultError('input', `sheet: ${conflict}`)
  const targets = rows.map((row) => {
    const included = includeInCall && row.obstacle === 'in-call' ? { ...row, obstacle: null } : row
    const isTaken = place === null && isReady(included) && isBusy(row.key)
    return targetOf(isTaken ? { ...row, obstacle: 'busy' } : included)
  })
  const pending = targets.filter(({ outcome }) => outcome === 'pending')
  if (pending.length === 0) throw new FaultError('input', 'sheet: There is no device that this can be done to.')
  return {
    targets,
    record: {
      kind: request.kind,
      place: place?.place ?? null,
      tenants: [...new Map(pending.map(({ tenant }) => [tenant.key, tenant])).values()],
      undoes: sheet.undoes,
      linkedDevices: request.kind === 'reboot' && request.linkedDevices,
      fields: place?.fields ?? null,
    },
  }
}

function checkConfirmation({ site, rows }: PreparedSheet, confirmation: string, includeInCall: boolean): void {
  const ready = rows.filter(isReady).length
  const inCall = rows.filter(({ obstacle }) => obstacle === 'in-call').length
  const confirm = confirmOf(site, ready, inCall)
  if (confirm === null || confirmation.trim() === confirm.trim()) return
  // The number that is shown may be that with the devices in a call.
  const isNumber = confirm !== site
  if (isNumber && includeInCall && confirmation.trim() === String(ready + inCall)) return
  throw new FaultError('input', `confirmation: Type ${confirm} to confirm.`)
}

const targetOf = ({ key, line, id, name, tenant, site, room, before, after, obstacle }: PreparedRow): JobTarget => ({
  // The history keeps such a line, and the device only once.
  key: line !== null && (id === '' || obstacle === 'duplicate') ? keyOfLine(line) : key,
  id,
  name,
  tenant,
  site,
  room,
  before,
  after,
  outcome: obstacle === null ? 'pending' : 'not-sent',
  obstacle,
  words: null,
  sentAt: null,
  ...unanswered,
})
