import path from 'node:path'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { createListeners } from '../../../../src-shared/lib/listeners.ts'
import type { Verifier } from '../../../../src-shared/lib/proof.ts'
import type { Log } from '../../../ports.ts'
import { writeWhole } from '../../shared/own-file.ts'

/** Windows that have signed in: one that stays open finds its way in again after a restart. */
export interface Sessions {
  /** The session of this id, where it is still good and was made on this port. */
  find(id: string, port: number): Verifier | null
  /** It counts at once, even if the disk cannot be written to: its key is used up by then. */
  add(verifier: Verifier, port: number): void
  /** Its window is there: its time begins anew, on disk at most once a day. */
  used(id: string): void
  /** Ends those of one port, or all. */
  end(port?: number): void
  /** Hears that all have ended. Returns the way to stop. */
  onEnd(listener: () => void): () => void
}

const kept = 20
const dayMs = 24 * 3_600_000
const goodForMs = 90 * dayMs
const hex = z.string().regex(/^[0-9a-f]{64}$/)
const session = z.object({ id: hex, stored: hex, muster: hex, port: z.int(), at: z.number() })
type Session = z.infer<typeof session>

/**
 * Kept in the profile as `sessions.json`, mode 0600, written whole or not at all; nobody can sign in with what it holds. What
 * cannot be read of it is left out: a new key lets that window in. When it is full, the least recently used one goes.
 */
export function openSessions(profile: string, clock: Clock, log: Log = () => {}): Sessions {
  const file = path.join(profile, 'sessions.json')
  let known = load(file)
  let onDisk = new Map(known.map(({ id, at }) => [id, at]))
  const listeners = createListeners()
  const good = () => known.filter(({ at }) => clock.now() - at < goodForMs)
  const store = () => {
    onDisk = new Map(known.map(({ id, at }) => [id, at]))
    write(file, JSON.stringify(known), log)
  }
  return {
    find: (id, port) => good().find((each) => each.id === id && each.port === port) ?? null,
    add({ id, stored, muster }, port) {
      known = [...good(), { id, stored, muster, port, at: clock.now() }].slice(-kept)
      store()
    },
    used(id) {
      const found = good().find((each) => each.id === id)
      if (found === undefined) return
      known = [...good().filter((other) => other !== found), { ...found, at: clock.now() }]
      if (clock.now() - (onDisk.get(id) ?? 0) >= dayMs) store()
    },
    end(port) {
      known = port === undefined ? [] : known.filter((each) => each.port !== port)
      store()
      if (port === undefined) listeners.emit()
    },
    onEnd: listeners.on,
  }
}

function load(file: string): Session[] {
  try {
    const entries = z.array(z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')))
    return entries.flatMap((entry) => session.safeParse(entry).data ?? []).sort((a, b) => a.at - b.at)
  } catch {
    return []
  }
}

function write(file: string, text: string, log: Log): void {
  try {
    writeWhole(file, text)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    log('warn', `the sessions of the browsers could not be written (${code}); after a restart they may need a new key`)
  }
}
