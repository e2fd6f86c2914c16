import path from 'node:path'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { createListeners } from '../../../../src-shared/lib/listeners.ts'
import type { Verifier } from '../../../../src-shared/lib/proof.ts'
import type { Log } from '../../../ports.ts'
import { writeWhole } from '../../shared/own-file.ts'

/** Sessions of signed-in windows, so that an open window can sign in again after a restart. */
export interface Sessions {
  /** Returns the session with this id if it is valid and was created on this port; null otherwise. */
  find(id: string, port: number): Verifier | null
  /** Adds a session at once, even if it cannot be written: its key is consumed by then. */
  add(verifier: Verifier, port: number): void
  /** Renews a session, on disk at most once a day. */
  used(id: string): void
  /** Ends the sessions of one port, or all. */
  end(port?: number): void
  /** Calls the listener when all have ended. Returns a function that stops it. */
  onEnd(listener: () => void): () => void
}

const maxSessions = 20
const dayMs = 24 * 3_600_000
const goodForMs = 90 * dayMs
const hex = z.string().regex(/^[0-9a-f]{64}$/)
const session = z.object({ id: hex, stored: hex, muster: hex, port: z.int(), at: z.number() })
type Session = z.infer<typeof session>

/**
 * Opens the sessions in the profile's `sessions.json`, mode 0600, written completely or not at all; its content is not
 * sufficient to sign in. Unreadable entries are dropped: a new key admits their windows. When it is full, the least
 * recently used one is removed.
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
      known = [...good(), { id, stored, muster, port, at: clock.now() }].slice(-maxSessions)
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
