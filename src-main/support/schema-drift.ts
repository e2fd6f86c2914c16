import type { Clock } from '../../src-shared/lib/clock.ts'

/** A change of a service's schema. */
export interface SchemaChange {
  at: number
  connection: string
  detail: string
}

/** The schema changes of this run; they stay when their banner is dismissed. */
export interface SchemaDrift {
  note(connection: string, detail: string): void
  all(): SchemaChange[]
}

const maxChanges = 200

export function createSchemaDrift(clock: Pick<Clock, 'now'>): SchemaDrift {
  let found: SchemaChange[] = []
  return {
    note: (connection, detail) => void (found = [...found, { at: clock.now(), connection, detail }].slice(-maxChanges)),
    all: () => [...found],
  }
}
