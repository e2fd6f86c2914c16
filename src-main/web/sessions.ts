import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../src-shared/clock.ts'

/** Browsers that have come in, as hashes of their cookies: a window that stays open finds its way in again after a restart. */
export interface Sessions {
  /** Base64 of the SHA-256 of each cookie that is still good, newest last. */
  all(): string[]
  add(hash: string): void
}

const kept = 20
const goodForMs = 90 * 24 * 3_600_000
const stored = z.array(z.object({ hash: z.string(), at: z.number() }))

/** Kept in the profile as `sessions.json`, mode 0600. What cannot be read is begun anew: a new key lets the browser in. */
export function openSessions(profile: string, clock: Clock): Sessions {
  const file = path.join(profile, 'sessions.json')
  let known = load(file).filter(({ at }) => clock.now() - at < goodForMs)
  return {
    all: () => known.map(({ hash }) => hash),
    add(hash) {
      known = [...known, { hash, at: clock.now() }].slice(-kept)
      writeFileSync(file, JSON.stringify(known), { mode: 0o600 })
    },
  }
}

function load(file: string): z.infer<typeof stored> {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
