import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import type { TileKind } from '../../../../src-shared/contract/overview-calls.ts'
import type { FirmwareTarget } from '../../../../src-shared/model/firmware.ts'
import { at } from '../../engine/columns/columns.ts'
import { slotsBelow } from '../../engine/inventory.ts'
import type { Store } from '../../store.ts'
import { targetTest } from '../firmware/firmware.ts'
import { type FleetMaps, fleetTiles } from './fleet-map.ts'

/** Answers `overview.facts` at `now`, ms. */
export function tileFacts(
  { inventory }: Pick<Store, 'inventory'>,
  maps: FleetMaps,
  { tiles: kind, targets, now }: { tiles: TileKind; targets: readonly FirmwareTarget[]; now: number },
): CallOutput<'overview.facts'> {
  const { rows } = inventory
  const isBehind = targetTest(inventory, targets)
  const places: CallOutput<'overview.facts'>['places'] = []
  for (const tile of fleetTiles(inventory, maps, kind).tiles) {
    const facts = { id: tile.id, known: 0, behind: 0, age: 0 }
    let oldest = Infinity
    slotsBelow(inventory, tile, (slot) => {
      oldest = Math.min(oldest, at(rows.seenAt, slot))
      const behind = isBehind(slot)
      if (behind === null) return
      facts.known += 1
      facts.behind += Number(behind)
    })
    if (oldest !== Infinity) places.push({ ...facts, age: Math.max(0, now - oldest) })
  }
  return { places }
}
