import type { DatabaseSync } from 'node:sqlite'
import { fromJson, toJson } from '../json.ts'
import { readJobText, readTenants } from './values.ts'

export interface KeyRange {
  from: string
  before: string
}

/**
 * Erases devices from the jobs, and the jobs that have none left. The others lose the tenants that `within` accepts (by
 * key, with a `/` at its end) and the words of their fault, which may name what is erased. Called inside a transaction.
 */
export type EraseJobs = (ranges: readonly KeyRange[], within: (key: string) => boolean) => void

export function jobErasureIn(db: DatabaseSync): EraseJobs {
  const sql = {
    touched: db.prepare('SELECT DISTINCT job FROM job_device WHERE key >= ? AND key < ?'),
    dropDevices: db.prepare('DELETE FROM job_device WHERE key >= ? AND key < ?'),
    // Lines of a file that were no device of the job: their texts may name what is erased.
    dropLines: db.prepare("DELETE FROM job_device WHERE job = ? AND key GLOB 'line:*'"),
    dropEmpty: db.prepare('DELETE FROM job WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM job_device WHERE job = ?1)'),
    dropJob: db.prepare('DELETE FROM job WHERE number = ?'),
    dropDevicesOf: db.prepare('DELETE FROM job_device WHERE job = ?'),
    jobs: db.prepare('SELECT number, tenants, text FROM job'),
    save: db.prepare('UPDATE job SET tenants = ?, text = ? WHERE number = ?'),
  }
  return (ranges, within) => {
    const touched = new Set<number>()
    // The key of a place's target is its tenant's, which is below no prefix.
    for (const { from, before } of [...ranges, ...ranges.flatMap(tenantRange)]) {
      for (const { job } of sql.touched.all(from, before)) touched.add(Number(job))
      sql.dropDevices.run(from, before)
    }
    for (const number of touched) {
      sql.dropLines.run(number)
      sql.dropEmpty.run(number)
    }
    for (const row of sql.jobs.all()) {
      const number = Number(row['number'])
      const tenants = readTenants(fromJson(row['tenants']))
      const text = readJobText(fromJson(row['text']))
      const left = tenants?.filter(({ key }) => !within(`${key}/`))
      if (!touched.has(number) && left !== undefined && left.length === tenants?.length) continue
      // What a damaged row names is not known.
      if (left === undefined || text === null) {
        sql.dropDevicesOf.run(number)
        sql.dropJob.run(number)
        continue
      }
      const fault = text.fault && { kind: text.fault.kind, detail: '' }
      sql.save.run(toJson(left), toJson({ ...text, fault }), number)
    }
  }
}

const tenantRange = ({ from }: KeyRange): KeyRange[] =>
  from.endsWith('/') ? [{ from: from.slice(0, -1), before: `${from.slice(0, -1)}\0` }] : []
