import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import type { DevicePlace } from '../../../storage/journal/device-places.ts'
import { rowAt } from '../../engine/view.ts'
import type { Store } from '../../store.ts'

/** Returns a test of whether a name and place held at a time, ms. */
export const holdsAt =
  (time: number) =>
  ({ from, until }: DevicePlace): boolean =>
    from <= time && (until === null || until > time)

/** Returns a device with its name and place at a time (ms), or, where that is not recorded, those of now. */
export function pastDevice(
  { inventory, journal }: Store,
  slot: number,
  time: number,
): CallOutput<'overview.then'>['devices'][number] {
  const row = rowAt(inventory, slot)
  const then = journal.history.placesOf(row.key, time, time).find(holdsAt(time))
  const { name, site, room } = then ?? row
  return {
    key: row.key,
    name,
    tenant: row.tenant.name,
    site: site?.name ?? '',
    room: room?.name ?? '',
    isAsThen: then !== undefined,
  }
}
