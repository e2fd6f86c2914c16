import { decoded } from '../../src-shared/text/decoded.ts'

/** Ids as the service knows them, of a device's key (inventory/keys.ts). `tenantKey` ends before the device. */
export function idsInKey(key: string): { tenantKey: string; tenant: string; device: string } {
  const [service = '', tenant = '', device = ''] = key.split('/')
  return { tenantKey: `${service}/${tenant}`, tenant: decoded(tenant), device: decoded(device) }
}
