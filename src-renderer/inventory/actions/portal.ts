import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { portalAddress } from '../../../src-shared/connections/presets.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'

/** The address of a device's page in the vendor's portal, or why there is none. */
export type Portal = { href: string } | { reason: string }

/** Returns the address by the first connection that lists the device and has a portal. */
export function portalOf(
  connections: readonly ConnectionState[],
  connectionIds: readonly string[],
  tenant: string,
  id: string,
): Portal {
  const listing = connections.filter((connection) => connectionIds.includes(connection.id))
  const href = listing.map(({ portal }) => portalAddress(portal, { tenant, id })).find((address) => address !== null)
  if (href !== undefined) return { href }
  const [first] = listing
  if (first === undefined) return { reason: 'No connection sees this device now.' }
  return {
    reason:
      first.portal === ''
        ? 'The connection has no portal address; add one under Connections.'
        : 'The portal address of the connection does not fit this device.',
  }
}

/** Reads which connections list the device; null until that is known. `key` is null without a single device. */
export function usePortal(key: string | null): Portal | null {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections ?? none)
  const { value: device, current } = useCall(key, async () => {
    const answer = await session.pipe.call('inventory.device', { key: key ?? '' })
    return answer.ok ? answer.value.device : null
  })
  if (key === null) return { reason: 'Choose one device.' }
  if (device === null || !current) return null
  return portalOf(connections, device.connections, device.row.tenant.id, device.row.id)
}

const none: readonly ConnectionState[] = []
