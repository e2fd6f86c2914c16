import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { channels, feedProblem, update } from '../../../src-shared/model/updates.ts'
import type { Log } from '../../ports.ts'
import type { PendingUpdateStore, PendingUpdate } from '../ports.ts'
import { release } from '../release/release.ts'
import { failureMessage } from '../messages.ts'

const schema = z.object({
  tried: z.boolean(),
  offer: z.object({
    update,
    release,
    feed: z.object({
      url: z.string().refine((text) => text !== '' && feedProblem(text) === null),
      channel: z.enum(channels),
      ca: z.string(),
    }),
  }),
})

/** Folder of downloads in a profile. */
export const downloads = 'updates'

/**
 * Opens `update.json` in the profile, readable by its owner only: a separate file, because it is read before the
 * profile's settings may be opened. An unreadable file counts as none.
 */
export function openPendingUpdate(profile: string): PendingUpdateStore {
  const file = path.join(profile, 'update.json')
  return {
    read() {
      try {
        const read = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
        return read.success ? read.data : null
      } catch {
        return null
      }
    },
    write(pending) {
      if (pending === null) return removeDownload(file, path.join(profile, downloads))
      writeFileSync(`${file}.new`, JSON.stringify(pending), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

/** Removes the download. An installer that the system still holds is removed the next time. */
function removeDownload(file: string, folder: string): void {
  rmSync(file, { force: true })
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The download is disposable, and its record is already removed.
  }
}

/** Returns whether the record was written; logs a failure. */
export function trySave(pendingStore: PendingUpdateStore, pending: PendingUpdate | null, log: Log): boolean {
  try {
    pendingStore.write(pending)
    return true
  } catch (thrown) {
    log('warn', `updates: the pending update could not be recorded (${failureMessage(thrown)})`)
    return false
  }
}
