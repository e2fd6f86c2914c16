import { useEffect, useState } from 'react'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { portalAddress } from '../../../src-shared/connections/presets.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'

/** Where a device's page in the vendor's portal is, or why there is none. */
export type Portal = { href: string } | { reason: string }

/** The address by the first of the connections that see the device and have a portal. */
export function portalOf(
  connections: readonly ConnectionState[],
  seers: readonly string[],
  tenant: string,
  id: string,
): Portal {
  const seeing = connections.filter((connection) => seers.includes(connection.id))
  const href = seeing.map(({ portal }) => portalAddress(portal, { tenant, id })).find((address) => address !== null)
  if (href !== undefined) return { href }
  const [first] = seeing
  if (first === undefined) return { reason: 'No connection sees this device now.' }
  return {
    reason:
      first.portal === ''
        ? 'The connection has no portal address; add one under Connections.'
        : 'The portal address of the connection does not fit this device.',
  }
}

/** Asks which connections see the device; null until it is known. `key` null: no single device is meant. */
export function usePortal(key: string | null): Portal | null {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections ?? none)
  const [seen, setSeen] = useState<{ key: string; by: readonly string[]; tenant: string; id: string } | null>(null)
  useEffect(() => {
    if (key === null) return undefined
    let wanted = true
    void session.pipe.call('inventory.device', { key }).then((answer) => {
      if (!wanted || !answer.ok || answer.value.device === null) return
      const { row, connections: by } = answer.value.device
      setSeen({ key, by, tenant: row.tenant.id, id: row.id })
    })
    return () => {
      wanted = false
    }
  }, [key, session])
  if (key === null) return { reason: 'Choose one device.' }
  return seen === null || seen.key !== key ? null : portalOf(connections, seen.by, seen.tenant, seen.id)
}

const none: readonly ConnectionState[] = []
