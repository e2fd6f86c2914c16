import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Offered } from '../../api/capabilities.ts'

export interface ConnectionColumnsOptions {
  /** When each column was last read of all tenants, ms, as it was kept; and where that is kept. */
  readAt: () => Record<string, number>
  onRead: (readAt: Record<string, number>) => void
  /** Something that this tells has changed. */
  onChange: () => void
}

/** The extra columns of one connection, read in the background by the connection that reads the tenant. */
export interface ConnectionColumns {
  offered(): readonly Offered[]
  /** These are to be read, and again with each full sync's time; the reading of any other stops. */
  want(names: readonly string[]): void
  syncing(): readonly string[]
  /** Why a column's reading stands still, in all tenants or in one. */
  fault(name: string): Fault | null
  /** Whether the service rejected the query itself, and not only for a tenant. */
  isRejected(name: string): boolean
  /** Tenants were read, or others are read by this connection now. */
  check(): void
  /** The reader before this one has read the tenant at this time, and may have read what is wanted. */
  noteClaim(tenant: string, at: number): void
  /** The cache may have been begun anew: what was read is looked for in it again. */
  doubt(): void
  stop(): Promise<void>
}
