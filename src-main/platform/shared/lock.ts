import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { appendOwn, writeWhole } from './own-file.ts'
import { keyOf } from './sign-in-page.ts'

/** A lock for one core per profile: its files have one writer. */
export interface Lock {
  /** Proves to the running shell that the caller can read this profile; stored in `running.json` (mode 0600). */
  token: string
  /** Records where this core is found: on a port of loopback, or (null) in its own windows. */
  announce(port: number | null): void
  release(): void
}

/**
 * Takes the profile; null when a living process holds it. The lock is the operating system's (SQLite locks the file
 * `lock`), so it ends with its process, and there are no stale locks.
 */
export function takeLock(profile: string): Lock | null {
  const file = path.join(profile, 'lock')
  // Created by us and empty: SQLite gives its journal the same mode.
  appendOwn(file, '')
  const held = exclusive(file)
  if (held === null) return null
  const running = path.join(profile, 'running.json')
  rmSync(running, { force: true })
  const token = randomBytes(32).toString('base64url')
  return {
    token,
    announce: (port) => writeWhole(running, JSON.stringify({ pid: process.pid, port, token })),
    release: () => {
      rmSync(running, { force: true })
      held.close()
    },
  }
}

function exclusive(file: string): DatabaseSync | null {
  try {
    return begin(file)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (message.includes('locked')) return null
    // A damaged file contains nothing but the lock, and no process can have locked it: it is created anew.
    if (!message.includes('not a database')) throw error
    rmSync(file)
    appendOwn(file, '')
    return begin(file)
  }
}

function begin(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The profile's lock, or the shell that holds it: at a fresh one-time address, or in its own windows. */
export type LockResult = { lock: Lock } | { url: string } | { windows: true }

/**
 * Takes the profile, or asks the shell that holds it. That one may be starting or stopping, so both are retried for at
 * most `timeoutMs`; then null.
 */
export async function lockOrAsk(profile: string, clock: Clock, timeoutMs = 15_000): Promise<LockResult | null> {
  const until = clock.monotonic() + timeoutMs
  // The clock's timers do not keep the process running, and nothing else does yet.
  const awake = setInterval(() => {}, 1000)
  try {
    for (;;) {
      const lock = takeLock(profile)
      if (lock !== null) return { lock }
      const holder = await askHolder(profile)
      if (holder !== null) return holder
      if (clock.monotonic() >= until) return null
      await wait(clock, 100)
    }
  } finally {
    clearInterval(awake)
  }
}

async function askHolder(profile: string): Promise<{ url: string } | { windows: true } | null> {
  try {
    const { port, token } = JSON.parse(readFileSync(path.join(profile, 'running.json'), 'utf8'))
    if (port === null) return { windows: true }
    const response = await fetch(`http://127.0.0.1:${Number(port)}/key`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(token)}` },
      redirect: 'error',
      signal: AbortSignal.timeout(2000),
    })
    const url = response.ok ? String((await response.json()).url) : ''
    // Another program may have taken the port since.
    return keyOf(url) !== null && Number(new URL(url).port) === port ? { url } : null
  } catch {
    return null
  }
}
