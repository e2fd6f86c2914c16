import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { appendOwn, writeWhole } from './own-file.ts'
import { keyOf } from './sign-in-page.ts'

/** One core for each profile: its files have one writer. */
export interface Lock {
  /** Proves to the running shell that somebody may read this profile; lies in `running.json` (mode 0600). */
  token: string
  /** Tells later starts where this one is to be found: on a port of loopback, or (null) in windows of its own. */
  announce(port: number | null): void
  release(): void
}

/**
 * Takes the profile, or answers null when a living process holds it. The lock is the operating system's own (SQLite
 * locks the file `lock`), so it ends with its process, however that ended, and there is no stale lock to judge.
 */
export function takeLock(profile: string): Lock | null {
  const file = path.join(profile, 'lock')
  // Made by us and empty: SQLite gives its journal the same mode.
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
    // A damaged one holds nothing but the lock itself, and nobody can have locked it: it is made anew.
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

/** The profile itself, or where the shell is that holds it: at a fresh one-time address, or in windows of its own. */
export type Taken = { lock: Lock } | { url: string } | { windows: true }

/**
 * Takes the profile, or asks the shell that holds it. That one may still be starting or stopping, so both are tried
 * again for at most `patience` ms; then null.
 */
export async function lockOrAsk(profile: string, clock: Clock, patience = 15_000): Promise<Taken | null> {
  const until = clock.monotonic() + patience
  // The clock's timers keep no process running, and a start that waits has nothing else yet.
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
    // Another program may have taken the port a moment ago.
    return keyOf(url) !== null && Number(new URL(url).port) === port ? { url } : null
  } catch {
    return null
  }
}
