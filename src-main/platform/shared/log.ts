import { renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { withoutCredentials } from '../../auth/redactor.ts'
import { withoutMarks } from '../../support/names/name-shapes.ts'
import type { Log } from '../../ports.ts'
import { appendOwn } from './own-file.ts'

/**
 * The log of a profile: every line in `muster.log` (mode 0600, at most 2 MB and one older file), with its names marked
 * (`support/names/names.ts`); warnings and errors also on stderr. Ignores a failed write.
 */
export function openLog(profile: string, clock: Clock, print: (line: string) => void, maxBytes = 2_000_000): Log {
  const file = path.join(profile, 'muster.log')
  const write: Log = (level, text) => {
    const line = `${new Date(clock.now()).toISOString()} ${level.padEnd(5)} ${sanitise(text)}`
    if (level === 'warn' || level === 'error') print(withoutMarks(line))
    try {
      rotate(file, maxBytes)
      appendOwn(file, `${line}\n`)
    } catch {
      // On a full disk the line was on stderr if it mattered, and the core reports the disk itself.
    }
  }
  return countRepeats(write, clock)
}

/** How long equal lines are counted, ms, and how many lines at a time. */
const [countedMs, maxCounted] = [60_000, 200]

/**
 * Counts a line that is repeated within a minute, and writes the number at its end, so that endless repetition does not
 * rotate the log.
 */
function countRepeats(write: Log, clock: Clock): Log {
  const counts = new Map<string, number>()
  return (level, text) => {
    const key = `${level} ${text}`
    const before = counts.get(key)
    if (before !== undefined) return void counts.set(key, before + 1)
    write(level, text)
    if (counts.size >= maxCounted) return
    counts.set(key, 0)
    clock.after(countedMs, () => {
      const more = counts.get(key) ?? 0
      counts.delete(key)
      if (more > 0) write(level, `${text} (${more} more within a minute)`)
    })
  }
}

function rotate(file: string, maxBytes: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size >= maxBytes) renameSync(file, `${file}.1`)
}

/** Returns one line, without control characters, tokens and passwords. */
function sanitise(text: string): string {
  const flat = text.replaceAll(/\p{Cc}+/gu, ' ')
  return withoutCredentials(flat)
    .replaceAll(/([?&#]key=)[^\s&]+/g, '$1…')
    .slice(0, 2000)
}
