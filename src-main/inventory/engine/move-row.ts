import type { DeviceFields } from '../../../src-shared/model/inventory.ts'
import { at, refreshField } from './columns/columns.ts'
import { type Inventory, relinkRow, renamePlaces, type Touched } from './inventory.ts'
import { roomPlace } from './places.ts'
import type { Tenant } from './tenants.ts'

/**
 * Moves a row to this place. `namesOrder`: order of the report that brought the names of the place; null: none did, they
 * are those that it has. A place of the same ids is no move.
 */
export function moveRow(
  inventory: Inventory,
  tenant: Tenant,
  slot: number,
  to: Pick<DeviceFields, 'site' | 'room'>,
  namesOrder: number | null,
  touched: Touched,
): void {
  const room = roomPlace(inventory.places, tenant, to.site, to.room)
  if (at(inventory.rows.room, slot) !== room.index) relinkRow(inventory, slot, room, touched)
  refreshField(inventory.rows, slot, 'site')
  refreshField(inventory.rows, slot, 'room')
  if (namesOrder !== null) renamePlaces(inventory, room, to, namesOrder, touched)
}
