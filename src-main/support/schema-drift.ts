import type { Clock } from '../../src-shared/lib/clock.ts'

/** What a service offered otherwise than the last time. */
export interface SchemaChange {
  at: number
  connection: string
  detail: string
}

/** The drift that this run has found; the notice of it goes when it is read, this stays. */
export interface SchemaDrift {
  note(connection: string, detail: string): void
  all(): SchemaChange[]
}

const most = 200

export function createSchemaDrift(clock: Pick<Clock, 'now'>): SchemaDrift {
  let found: SchemaChange[] = []
  return {
    note: (connection, detail) => void (found = [...found, { at: clock.now(), connection, detail }].slice(-most)),
    all: () => [...found],
  }
}
