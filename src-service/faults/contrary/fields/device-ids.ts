import type { Device } from '../../../world/device.ts'
import type { Answers } from '../answers.ts'

/** The ids of devices as reported where each tenant has its own numbering: devices of two tenants then share ids. */
export type DeviceIds = {
  told(device: Pick<Device, 'id' | 'tenantId'>): string
  /** Returns the world's ids: one for each tenant that has reported this id. */
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
