import type { DatabaseSync } from 'node:sqlite'
import { jobColumns, jobSearchText, recordOf } from './rows.ts'

/** A search for jobs. `needle`: the wanted text as `fold` returns it, not empty. `fold` makes ASCII lower-case. */
export interface TextSearch {
  needle: string
  fold: (text: string) => string
}

/** Returns the numbers of the jobs that contain a text themselves, or in one of their devices. */
export type FindJobs = (search: TextSearch) => Set<number>

/**
 * Texts of ASCII alone are compared by SQLite, which knows their case: it takes a tenth of the time. A text with a zero
 * character has another length by SQLite, and counts as one of the others.
 */
const isAscii = 'octet_length(search_text) = length(search_text)'

export function findJobsIn(db: DatabaseSync): FindJobs {
  const sql = {
    jobs: db.prepare(`SELECT ${jobColumns} FROM job`),
    ascii: db.prepare(`SELECT number FROM job WHERE EXISTS
      (SELECT 1 FROM job_device WHERE job = job.number AND instr(lower(search_text), ?) > 0 AND ${isAscii})`),
    others: db.prepare(`SELECT job, search_text FROM job_device WHERE NOT (${isAscii})`),
  }
  return ({ needle, fold }) => {
    const found = new Set<number>()
    const meets = (text: string) => fold(text).includes(needle)
    for (const row of sql.jobs.all()) {
      const record = recordOf(row)
      if (record !== null && meets(jobSearchText(record))) found.add(Number(row['number']))
    }
    for (const { number } of sql.ascii.all(needle)) found.add(Number(number))
    for (const { job, search_text: text } of sql.others.iterate())
      if (!found.has(Number(job)) && meets(String(text))) found.add(Number(job))
    return found
  }
}
