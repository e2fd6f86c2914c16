/** Ids as the service knows them, of a device's key (data/keys.ts). `tenantKey` ends before the device. */
export function partsOf(key: string): { tenantKey: string; tenant: string; device: string } {
  const [service = '', tenant = '', device = ''] = key.split('/')
  return { tenantKey: `${service}/${tenant}`, tenant: plain(tenant), device: plain(device) }
}

/** What cannot be read stays as it is: it is only shown. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
