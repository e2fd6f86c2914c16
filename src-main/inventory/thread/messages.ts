import type { Fault } from '../../../src-shared/model/fault.ts'
import type { InventoryData } from './protocol.ts'

/** The messages between the client and its thread. `request-queue.ts` has their order. */
export interface Request {
  id: number
  call: keyof InventoryData
  input: unknown
}

export type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; fault: Fault }

export interface ThreadData {
  profile: string
  /** The first revision: higher than any of an earlier thread. */
  rev: number
}
