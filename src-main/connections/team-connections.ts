import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { Gauge } from '../../src-shared/model/gauge.ts'
import type { LastSeen } from './stored/last-seen.ts'
import type { SharedColumns } from '../sync/columns/shared-columns.ts'
import type { ConnectionRecord } from './stored/record.ts'

/** A connection of the team as the member that reads it sees it. */
export interface SeenElsewhere {
  state: ConnectionState
  /** The operator of that member. */
  operator: string
}

/**
 * What the members that read connections are asked by the others: the points of the last hour, the cost of refreshing a scope, to read
 * the status of a scope, and the cost of an extra column.
 */
export const teamQuestions = ['hours', 'cost', 'status', 'column'] as const
export type TeamQuestion = (typeof teamQuestions)[number]

/** The team whose connections these are. */
export interface SharedConnections {
  /** Returns whether this member reads the credential set. */
  leads(set: string): boolean
  /** Returns how its leader sees a connection; null while nobody reads it. */
  seen(connection: string): SeenElsewhere | null
  /** Returns the gauges of the credential sets that other members read. */
  gauges(): Gauge[]
  /** Tells all members of a new or changed connection. Rejects with `team-away`; then nothing was changed. */
  save(record: ConnectionRecord): Promise<void>
  remove(id: string): Promise<void>
  /** Notes that a secret was typed for these addresses; `trusts`: whether it may be sent to those of the record. */
  pin(record: ConnectionRecord): void
  trusts(record: ConnectionRecord): boolean
  /** Is told which credential sets this member has a secret of. */
  canRead(sets: ReadonlySet<string>): void
  /** Lets the members that lead sync a scope. */
  refresh(scope: string): void
  /** Asks all other members that read a connection. Rejects with the fault of one, `timeout`, or `team-away`. */
  ask(what: TeamQuestion, input: unknown): Promise<unknown[]>
  columns: SharedColumns
}

/** What a team does with its connections. */
export interface TeamConnections {
  /** Syncs a scope where this member leads. */
  read(scope: string): Promise<void>
  /** Must be called when this member begins or ends to read a credential set. */
  leadChanged(set: string): Promise<void>
  /** Take over what another member changed. */
  put(record: ConnectionRecord): Promise<void>
  remove(id: string): Promise<void>
  replace(records: readonly ConnectionRecord[]): Promise<void>
  records(): ConnectionRecord[]
  /** Returns the credential sets of a connection, or of a service. */
  setsOf(of: { connection?: string; service?: string }): string[]
  /** Returns the service of a connection; null for an unknown one. */
  serviceOf(id: string): string | null
  /** Notes when another member last heard of a connection's service. */
  heard(id: string, seen: Partial<LastSeen>): void
  /** Must be called with the input of each call that another member wrote, before this one reads. */
  carriedOut(input: unknown): void
  /** Must be called when the team's extra columns, or what others say of them, have changed. */
  columnsChanged(): void
  /** Answers another member for what this one reads. Rejects with the fault. */
  answer(what: TeamQuestion, input: unknown): Promise<unknown>
}
