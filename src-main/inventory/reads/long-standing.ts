import type { IncidentMember, LongStanding } from '../../../src-shared/model/incidents.ts'
import { at, statusCodes, textAt, timeAt } from '../engine/columns/columns.ts'
import { slotsOf, type Inventory } from '../engine/inventory.ts'
import { isSpare } from '../engine/filter/spares.ts'
import { rowAt } from '../engine/view.ts'
import type { IncidentData } from '../thread/incident-protocol.ts'

type Request = Parameters<IncidentData['longStanding']>[0]

/** Devices that are offline without a recorded drop (incident-protocol.ts, `longStanding`). */
export function longStanding(
  { inventory }: { inventory: Inventory },
  { except, now, offset, limit }: Request,
): Awaited<ReturnType<IncidentData['longStanding']>> {
  const { rows, tenants, filters } = inventory
  const known = new Set(except)
  const rule = filters.spareRule.get()
  const found = [...tenants.values()]
    .flatMap((tenant) => slotsOf(inventory, tenant))
    .filter((slot) => at(rows.status, slot) === statusCodes.disconnected && !known.has(textAt(rows.key, slot)))
    .map((slot) => ({
      slot,
      spare: isSpare(rows, slot, rule, now),
      last: timeAt(rows.times.lastDetected, slot) ?? -Infinity,
    }))
    .toSorted((one, other) => Number(one.spare) - Number(other.spare) || other.last - one.last || one.slot - other.slot)
  return {
    total: found.length,
    spares: found.filter(({ spare }) => spare).length,
    rows: found.slice(offset, offset + limit).map(({ slot, spare }): LongStanding => {
      const { key, name, hardwareModel, tenant, account, site, room, lastDetected } = rowAt(inventory, slot)
      return {
        key,
        name,
        hardwareModel,
        tenant: tenant.name,
        ...(account !== null && { account: account.name }),
        site: site?.name ?? null,
        room: room?.name ?? null,
        lastDetected,
        spare,
      }
    }),
  }
}

/**
 * The present names of a device's tenant and site; '' and null where they are not known any more. `account`: only where
 * its tenant has several.
 */
export function placeNamesOf(
  { inventory }: { inventory: Inventory },
  key: string,
): Pick<IncidentMember, 'tenant' | 'account' | 'site'> {
  const slot = inventory.rows.slotOf.get(key)
  if (slot === undefined)
    return { tenant: inventory.tenants.get(key.slice(0, key.lastIndexOf('/')))?.name ?? '', site: null }
  const { tenant, account, site } = rowAt(inventory, slot)
  return { tenant: tenant.name, ...(account !== null && { account: account.name }), site: site?.name ?? null }
}
