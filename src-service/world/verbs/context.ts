import type { PlacePools } from '../generate/place-pools.ts'
import type { Random } from '../random.ts'
import type { Store } from '../store/store.ts'

/** The state that the verbs of a world share. */
export type Context = {
  store: Store
  now: () => number
  placePools: PlacePools
  random: Random
  made: number
  /** When a reopened world last changed, ms; null for a new one. */
  lastAlive: number | null
  notify: (id: string) => void
}

export type DeviceChange = { name?: string; siteId?: string | null; roomId?: string | null }

export type NewDevice = {
  /** Of a device that was removed, which so comes back, perhaps in another tenant. Default: a new one. */
  id?: string
  tenantId?: string
  siteId?: string | null
  roomId?: string | null
  name?: string
  hardwareModel?: string
  connected?: boolean | null
}
