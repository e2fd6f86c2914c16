import type { Api } from './client.ts'
import { selectionOf, type AskedAs, type Members } from './selection.ts'

const place: Members = { id: {}, name: {} }
const wanted: Members = {
  id: {},
  tenantId: {},
  name: {},
  connected: {},
  siteId: {},
  roomId: {},
  site: place,
  room: place,
}
const plain: ReadonlySet<string> = new Set(['id', 'tenantId', 'name', 'connected', 'siteId', 'roomId'])

/**
 * Returns what an event of this type can carry of a device, as a selection (service-spec.md, section 3, and beyond it
 * the place); null where its schema has no id of a device. Rejects with a `FaultError`.
 */
export async function askEventFields(api: Api, type: string, as: AskedAs): Promise<string | null> {
  const selection = await selectionOf(api, type, wanted, plain, as)
  return /^id\b/.test(selection) ? selection : null
}
