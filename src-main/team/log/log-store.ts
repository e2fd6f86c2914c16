import type { Claim, StoreOptions } from '../lead/lease-store.ts'

/** Longest body of a row, bytes: the limit of the table. */
export const maxBodyBytes = 1 << 20

/**
 * A row of a log, by which a position in it is known: the database gives it a random `id`, so that a row that replaces a lost one
 * differs, also where the same entry is written again.
 */
export interface Position {
  /** From 1, without gaps. */
  number: number
  /** A UUID. */
  id: string
}

/** What is appended. What the body means is not known here. */
export interface Entry {
  /** Random, a UUID: it is in a log once however often it is written. */
  id: string
  body: Uint8Array
}

/** A row as it is read. `at`: when it was written by the database's clock, ms since the epoch. */
export interface LogRow extends Position {
  /** The id of the entry that was written. */
  entry: string
  /** The term of the lease under which it was written, 0 for none. It never decreases among the rows of one lease. */
  term: number
  /** The database role that has written it, which the database vouches for. */
  role: string
  at: number
  body: Uint8Array
}

/** Rows that are written in one transaction. `known`: the last row of which its writer knew; null for none. */
export interface Batch {
  entries: readonly Entry[]
  known: Position | null
}

/** What became of a batch. */
export interface Inspection {
  /** Whether the claim still holds: then a batch that was not found may be on its way. */
  isHeld: boolean
  /** How many batches the subject has. */
  revision: number
  /** Number of the batch's last row in the log; null: the batch is not there. */
  stored: number | null
  /** Whether the log still has the row of which the batch's writer knew. */
  isKnown: boolean
}

/** Rows after a position. `isKnown`: whether the position is still there; otherwise there are no rows. */
export interface LogPage {
  isKnown: boolean
  rows: LogRow[]
  /** Whether there may be more rows. */
  isFull: boolean
}

/** A snapshot. `id`: random, a UUID. `position`: the last row of the log that is contained in it. */
export interface SnapshotHead {
  id: string
  parts: number
  position: Position
}

export interface PageLimits {
  rows: number
  /** A page ends with the row that reaches so many bytes. */
  bytes: number
}

export interface PostOptions extends StoreOptions {
  /** Is called before the rows are sent: an attempt that fails without it has written nothing. */
  onSend?: () => void
}

/**
 * The operations on a log. Each is one transaction, and rejects with a `FaultError`. All rows are in one order, whoever
 * writes them: who sees a row can see all before it.
 */
export interface LogStore {
  /**
   * Writes a batch, if the claim holds, the subject has so many batches, and the log still has the row of which the
   * writer knew: what follows from a row that a failover lost is not written. Resolves with the number of the log's last
   * row; null: nothing was written by this attempt.
   */
  write(claim: Claim, revision: number, batch: Batch, options?: StoreOptions): Promise<number | null>
  /**
   * Writes rows without a claim, but for those whose ids are in the log already: a repeated attempt has no effect, until
   * the rows are removed. Resolves with the last number that one of them has in the log; 0 for no rows.
   */
  post(entries: readonly Entry[], options?: PostOptions): Promise<number>
  inspect(claim: Claim, batch: Batch, options?: StoreOptions): Promise<Inspection>
  /** `from`: null for the beginning. */
  read(from: Position | null, limits: PageLimits, options?: StoreOptions): Promise<LogPage>
  /** Writes a part of a snapshot that nobody sees yet. Resolves with whether the claim holds. */
  putPart(claim: Claim, snapshot: string, part: number, body: Uint8Array, options?: StoreOptions): Promise<boolean>
  /**
   * Makes a snapshot the newest one and removes the former ones, if the claim holds, its parts are complete and its
   * position is in the log. Resolves with whether it is done. Only one of the leases writes snapshots.
   */
  publish(claim: Claim, head: SnapshotHead, options?: StoreOptions): Promise<boolean>
  /** Resolves with the newest snapshot; null where there is none. */
  newest(options?: StoreOptions): Promise<SnapshotHead | null>
  /** Resolves with null where the snapshot has been removed. */
  part(snapshot: string, part: number, options?: StoreOptions): Promise<Uint8Array | null>
  /**
   * Removes rows that are older than `keepMs` and that the newest snapshot contains, if the claim holds. Resolves with
   * how many.
   */
  prune(claim: Claim, keepMs: number, options?: StoreOptions): Promise<number>
}
