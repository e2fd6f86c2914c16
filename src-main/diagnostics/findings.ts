import type { Clock } from '../../src-shared/clock.ts'

/** What a service offered otherwise than the last time. */
export interface Finding {
  at: number
  connection: string
  detail: string
}

/** The drift that this run has found; the notice of it goes when it is read, this stays. */
export interface Findings {
  note(connection: string, detail: string): void
  all(): Finding[]
}

const most = 200

export function createFindings(clock: Pick<Clock, 'now'>): Findings {
  let found: Finding[] = []
  return {
    note: (connection, detail) => void (found = [...found, { at: clock.now(), connection, detail }].slice(-most)),
    all: () => [...found],
  }
}
