import type { Device } from '../../world/device.ts'
import type { Answers } from '../answers.ts'

/** The ids of devices as they are told, where each tenant counts its own: two tenants then have devices of the same id. */
export type DeviceIds = {
  told(device: Pick<Device, 'id' | 'tenantId'>): string
  /** Ids of the world: one for each tenant that has told such an id. */
  meant(id: string): string[]
}

export function startDeviceIds(is: Readonly<Answers>): DeviceIds {
  const numbered = new Map<string, Map<string, string>>()
  const byTold = new Map<string, string[]>()
  return {
    told({ id, tenantId }) {
      if (!is.sharedIds) return id
      const own = numbered.get(tenantId) ?? new Map<string, string>()
      numbered.set(tenantId, own)
      const told = own.get(id) ?? `device-${own.size + 1}`
      if (!own.has(id)) byTold.set(told, [...(byTold.get(told) ?? []), id])
      own.set(id, told)
      return told
    },
    meant: (id) => (is.sharedIds ? (byTold.get(id) ?? []) : [id]),
  }
}
