import type { Device } from '../../../world/device.ts'
import type { Answers } from '../answers.ts'

/** The ids of devices as reported where each tenant has its own numbering: devices of two tenants then share ids. */
export type DeviceIds = {
  reported(device: Pick<Device, 'id' | 'tenantId'>): string
  /** Returns the world's ids: one for each tenant that has reported this id. */
  worldIds(id: string): string[]
}

export function startDeviceIds(is: Readonly<Answers>): DeviceIds {
  const byTenant = new Map<string, Map<string, string>>()
  const byReported = new Map<string, string[]>()
  return {
    reported({ id, tenantId }) {
      if (!is.sharedIds) return id
      const own = byTenant.get(tenantId) ?? new Map<string, string>()
      byTenant.set(tenantId, own)
      const reported = own.get(id) ?? `device-${own.size + 1}`
      if (!own.has(id)) byReported.set(reported, [...(byReported.get(reported) ?? []), id])
      own.set(id, reported)
      return reported
    },
    worldIds: (id) => (is.sharedIds ? (byReported.get(id) ?? []) : [id]),
  }
}
