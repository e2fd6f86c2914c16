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

/** Folder in a profile of what is downloaded. */
export const downloads = 'updates'

/**
 * `update.json` in the profile, for its owner alone: a file of its own, since it is read before the profile's settings may
 * be opened. One that cannot be read is none.
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
    write(kept) {
      if (kept === null) return forget(file, path.join(profile, downloads))
      writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

/** An installer that has just done its work may still be held by its system: it goes the next time. */
function forget(file: string, folder: string): void {
  rmSync(file, { force: true })
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Disposable, and forgotten already.
  }
}

/** Whether the disk took it; what it refused is logged. */
export function trySave(keep: PendingUpdateStore, kept: PendingUpdate | null, log: Log): boolean {
  try {
    keep.write(kept)
    return true
  } catch (thrown) {
    log('warn', `updates: what is to be installed could not be noted (${failureMessage(thrown)})`)
    return false
  }
}
