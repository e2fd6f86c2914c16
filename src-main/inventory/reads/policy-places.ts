import type { PolicyPlace } from '../../../src-shared/model/incidents.ts'
import { hasAccountLevel } from '../engine/directory.ts'
import type { Inventory } from '../engine/inventory.ts'
import { onlyAccountAt, placeAt, type Place } from '../engine/places.ts'
import { accountNode, everything } from '../keys.ts'

/** The nodes that are listed now, and the accounts of sites and rooms (incident-protocol.ts, `policyPlaces`). */
export function policyPlaces({ places, tenants }: Inventory, nodes: readonly string[]): PolicyPlace[] {
  const only = new Set(
    [...tenants.values()].flatMap(({ key, accounts }) =>
      hasAccountLevel(accounts) ? [] : [...accounts.names.keys()].map((id) => accountNode(key, id)),
    ),
  )
  return nodes.flatMap((node) => {
    const place = placeAt(places, node)
    if (place !== undefined) return [{ node, account: accountAbove(place) }]
    return node === everything || only.has(node) ? [{ node, account: null }] : []
  })
}

function accountAbove(place: Place): string | null {
  const { onlyAccount = null } = onlyAccountAt(place)
  if (onlyAccount !== null || place.parent === null) return onlyAccount
  return place.parent.kind === 'account' ? place.parent.id : accountAbove(place.parent)
}
