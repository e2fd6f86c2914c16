import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { KeptQueryData } from '../../inventory/thread/kept-query-protocol.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Log } from '../../ports.ts'

/** What the parts need that keep something. */
export interface KeptOptions {
  data: Pick<InventoryData, keyof KeptQueryData>
  log: Log
  clock: Pick<Clock, 'now'>
  /** Removes registered secrets from a text. */
  redact: (text: string) => string
}
