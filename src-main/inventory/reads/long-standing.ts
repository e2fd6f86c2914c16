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
  const isSpareAt = isSpare(inventory, filters.spareRule.get(), now)
  const found = [...tenants.values()]
    .flatMap((tenant) => slotsOf(inventory, tenant))
    .filter((slot) => at(rows.status, slot) === statusCodes.disconnected && !known.has(textAt(rows.key, slot)))
    .map((slot) => ({
      slot,
      spare: isSpareAt(slot),
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
/**
 * The present names of a device, and of its tenant and site; no name, '' and null where they are not known any more.
 * `account`: only where its tenant has several.
 */
export function presentNames(
  { inventory }: { inventory: Inventory },
  key: string,
): Partial<Pick<IncidentMember, 'name'>> & Pick<IncidentMember, 'tenant' | 'account' | 'site'> {
  const slot = inventory.rows.slotOf.get(key)
  if (slot === undefined)
    return { tenant: inventory.tenants.get(key.slice(0, key.lastIndexOf('/')))?.name ?? '', site: null }
  const { name, tenant, account, site } = rowAt(inventory, slot)
  return { name, tenant: tenant.name, ...(account !== null && { account: account.name }), site: site?.name ?? null }
}
