import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../src-shared/clock.ts'
import type { Log } from '../ports.ts'

/** Browsers that have come in, as hashes of their cookies: a window that stays open finds its way in again after a restart. */
export interface Sessions {
  /** Base64 of the SHA-256 of each cookie that is still good, least recently used first. */
  all(): string[]
  /** It counts at once, even if the disk cannot be written to: its key is used up by then. */
  add(hash: string): void
  /** This one has just let its browser in: its time begins anew, on disk at most once a day. */
  used(hash: string): void
}

const kept = 20
const dayMs = 24 * 3_600_000
const goodForMs = 90 * dayMs
/** 32 bytes in base64, nothing shorter or longer. */
const session = z.object({ hash: z.string().regex(/^[A-Za-z0-9+/]{43}=$/), at: z.number() })
type Session = z.infer<typeof session>

/**
 * Kept in the profile as `sessions.json`, mode 0600, written whole or not at all. What cannot be read of it is left out:
 * a new key lets that browser in. When it is full, the least recently used one goes.
 */
export function openSessions(profile: string, clock: Clock, log: Log = () => {}): Sessions {
  const file = path.join(profile, 'sessions.json')
  let known = load(file)
  let onDisk = new Map(known.map(({ hash, at }) => [hash, at]))
  const good = () => known.filter(({ at }) => clock.now() - at < goodForMs)
  const touch = (hash: string) => {
    known = [...good().filter((other) => other.hash !== hash), { hash, at: clock.now() }].slice(-kept)
  }
  const store = () => {
    onDisk = new Map(known.map(({ hash, at }) => [hash, at]))
    write(file, JSON.stringify(known), log)
  }
  return {
    all: () => good().map(({ hash }) => hash),
    add(hash) {
      touch(hash)
      store()
    },
    used(hash) {
      touch(hash)
      if (clock.now() - (onDisk.get(hash) ?? 0) >= dayMs) store()
    },
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
  const fresh = `${file}.new`
  try {
    rmSync(fresh, { force: true })
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    log('warn', `the sessions of the browsers could not be written (${code}); after a restart they may need a new key`)
  }
}
