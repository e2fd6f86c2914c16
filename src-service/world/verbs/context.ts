import type { Estates } from '../generate/estates.ts'
import type { Random } from '../random.ts'
import type { Store } from '../store/store.ts'

/** What the verbs of a world work on. */
export type Context = {
  store: Store
  now: () => number
  estates: Estates
  random: Random
  made: number
  /** When the world that was opened again last saw something happen, ms; null for one that is new. */
  lastAlive: number | null
  tell: (id: string) => void
}

export type DeviceChange = { name?: string; siteId?: string | null; roomId?: string | null }

export type NewDevice = {
  tenantId?: string
  siteId?: string | null
  roomId?: string | null
  name?: string
  hardwareModel?: string
  connected?: boolean | null
}
