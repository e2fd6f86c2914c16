import { decoded } from '../../../src-shared/text/decoded.ts'

/** Returns the service's own ids of a device's key (inventory/keys.ts). `tenantKey` is the part before the device. */
export function idsInKey(key: string): { tenantKey: string; tenant: string; device: string } {
  const [service = '', tenant = '', device = ''] = key.split('/')
  return { tenantKey: `${service}/${tenant}`, tenant: decoded(tenant), device: decoded(device) }
}
