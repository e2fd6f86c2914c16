import type { StoredHandover } from '../../storage/journal/shift-handovers.ts'
import type { CallOrder } from './call-order.ts'

/** The data thread's calls about the shift handovers of a team (protocol.ts). The caller checks the shape of what is read. */
export interface HandoverData {
  /** Returns the newest handovers without their texts, the newest first. */
  handovers(): Promise<unknown[]>
  /** Returns a handover with its text; null for an unknown id. */
  handover(input: { id: string }): Promise<unknown>
  /** Adds a handover; one with a known id stays as it is. */
  saveHandover(input: StoredHandover): Promise<void>
  /** Accepts a handover at `at`, ms, where `by` is whom it is for. The first acceptance stays. */
  acceptHandover(input: { id: string; at: number; by: string }): Promise<void>
}

/** How the request queue orders each of these calls. */
export const handoverCallOrder: { readonly [N in keyof HandoverData]: CallOrder } = {
  handovers: 'ordered',
  handover: 'ordered',
  saveHandover: 'ordered',
  acceptHandover: 'ordered',
}
