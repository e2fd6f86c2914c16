import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Offered } from '../../api/capabilities.ts'

export interface ConnectionColumnsOptions {
  /** Returns when each column was last read for all tenants, ms; `onRead` stores it. */
  readAt: () => Record<string, number>
  onRead: (readAt: Record<string, number>) => void
  /** Called when its state has changed. */
  onChange: () => void
}

/** The extra columns of one connection, read in the background by the connection that reads the tenant. */
export interface ConnectionColumns {
  offered(): readonly Offered[]
  /** Sets the columns to read, now and with each full sync; reading of any other stops. */
  want(names: readonly string[]): void
  syncing(): readonly string[]
  /** Returns why a column is not read, in all tenants or in one; null: it is. */
  fault(name: string): Fault | null
  /** Returns whether the service rejected the query itself, in all tenants. */
  isRejected(name: string): boolean
  /** Checks for work, after tenants were synced or assigned. */
  check(): void
  /** Records that the previous reader read the tenant at this time, possibly with the wanted columns. */
  noteClaim(tenant: string, at: number): void
  /** Checks the cache again for columns that were read, because it may have been reset. */
  doubt(): void
  stop(): Promise<void>
}
