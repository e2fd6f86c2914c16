import { existsSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import '../../src-main/inventory/thread/thread.ts'

/*
 * The data thread of a team's copy on a disk that is full while the file `disk-is-full` is in the profile, which is the folder
 * above it: SQLite then adds no page to its files, and says that the disk is full.
 */
const full = path.join((workerData as { profile: string }).profile, '..', 'disk-is-full')
const mostPages = 4_294_967_294
const exec = Reflect.get(DatabaseSync.prototype, 'exec')
DatabaseSync.prototype.exec = function execOnDisk(sql) {
  // SQLite raises a lower limit to the pages that there are.
  if (sql.startsWith('BEGIN')) exec.call(this, `PRAGMA max_page_count = ${existsSync(full) ? 1 : mostPages}`)
  exec.call(this, sql)
}
