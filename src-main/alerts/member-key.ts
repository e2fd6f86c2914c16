import { decoded } from '../../src-shared/decoded.ts'

/** Ids as the service knows them, of a device's key (data/keys.ts). `tenantKey` ends before the device. */
export function partsOf(key: string): { tenantKey: string; tenant: string; device: string } {
  const [service = '', tenant = '', device = ''] = key.split('/')
  return { tenantKey: `${service}/${tenant}`, tenant: decoded(tenant), device: decoded(device) }
}
