import type { Device } from '../world/device.ts'
import type { Contrary } from './contrary.ts'

/** The name of a device; some have none, always the same ones. */
export function nameOf({ is }: Contrary, { id, name }: Pick<Device, 'id' | 'name'>): string | null {
  return is.nullNames > 0 && Number.parseInt(id.slice(-4), 16) / 0x10000 < is.nullNames ? null : name
}
