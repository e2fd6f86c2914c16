import { FaultError } from '../../../src-shared/model/fault.ts'
import type { TextSearch } from '../../storage/journal/jobs/search.ts'
import { fold } from '../engine/filter/fold.ts'
import { jobCsvHead, jobCsvLines } from '../reads/job-csv.ts'
import type { Store } from '../store.ts'
import type { JobData } from './job-protocol.ts'

type JobCalls = {
  [N in keyof JobData]: (input: Parameters<JobData[N]>[0]) => Awaited<ReturnType<JobData[N]>>
}

/** Lines of one part of an export: they take some ms of the thread. */
const partLines = 1000

/** The calls about jobs (job-protocol.ts), answered from the journal. */
export function jobCalls({ journal: { jobs } }: Store): JobCalls {
  return {
    createJob: ({ absent, ...job }) => jobs.create(job, absent),
    saveJob: ({ record, changed }) =>
      jobs.save(
        record,
        changed.map(({ target }) => target),
      ),
    takeJob: ({ id, from, owner }) => jobs.take(id, from, owner),
    openJobs: ({ endedSince, member }) => jobs.open(endedSince, member),
    otherJobs: ({ member, endedSince }) => jobs.others(member, endedSince),
    takenDevices: (input) => jobs.taken(input),
    unreadableJobs: () => jobs.unreadable(),
    storedJob: ({ id }) => jobs.stored(id),
    job: ({ id }) => jobs.one(id),
    jobDevices: ({ id, outcomes, ...page }) => jobs.devices(id, outcomes, page),
    jobs: ({ text, device, incident, ...page }) =>
      jobs.list(searchOf(text), device ?? (incident === undefined ? null : { incident }), page),
    exportJobs({ from, until, after }) {
      const { lines, next } = jobs.lines({ from, until }, after === null ? null : positionOf(after), partLines)
      return {
        text: (after === null ? jobCsvHead : '') + jobCsvLines(lines),
        after: next && `${next.number}:${next.position}`,
      }
    },
  }
}

/** Finds texts as the inventory's filter does: without case and accents. */
function searchOf(text: string): TextSearch | null {
  const needle = fold(text.trim())
  return needle === '' ? null : { needle, fold }
}

function positionOf(after: string): { number: number; position: number } {
  const [, number, position] = /^(\d{1,15}):(\d{1,15})$/u.exec(after) ?? []
  if (number === undefined || position === undefined) throw new FaultError('input', 'this is no part of an export')
  return { number: Number(number), position: Number(position) }
}
