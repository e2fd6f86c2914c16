import { appendFileSync, chmodSync, existsSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../../src-shared/clock.ts'
import { withoutCredentials } from '../auth/veil.ts'
import { withoutMarks } from '../diagnostics/name-shapes.ts'
import type { Log } from '../ports.ts'

/**
 * The log of a profile: every line in `muster.log` (mode 0600, at most 2 MB and one older file), with the names in it marked
 * (`diagnostics/names.ts`); warnings and errors on stderr as well, for a person. A disk that cannot be written to does not stop anything.
 */
export function openLog(profile: string, clock: Clock, say: (line: string) => void, most = 2_000_000): Log {
  const file = path.join(profile, 'muster.log')
  if (existsSync(file)) chmodSync(file, 0o600)
  return (level, text) => {
    const line = `${new Date(clock.now()).toISOString()} ${level.padEnd(5)} ${tidy(text)}`
    if (level === 'warn' || level === 'error') say(withoutMarks(line))
    try {
      turn(file, most)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    } catch {
      // A full disk: the line was on stderr if it mattered, and the core tells of the disk by itself.
    }
  }
}

function turn(file: string, most: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size >= most) renameSync(file, `${file}.1`)
}

/** One line, without control characters, and never a token or a password even if somebody passed one on by mistake. */
function tidy(text: string): string {
  const flat = text.replaceAll(/\p{Cc}+/gu, ' ')
  return withoutCredentials(flat).replaceAll(/([?&]key=)[^\s&]+/g, '$1…').slice(0, 2000)
}
