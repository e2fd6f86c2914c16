import { Wrench } from 'lucide-react'
import { useState } from 'react'
import type { DeviceRow, TreeRow } from '../../../src-shared/model/inventory.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { type ActiveMaintenance, activeOver } from './active.ts'
import { idsOf } from '../place/place.ts'
import { createLineage } from '../place/lineage.ts'
import { useActiveMaintenance } from '../use-policies.ts'

/** The maintenance window of a line of the tree. `own`: the window is set on this place. */
export interface LineMaintenance {
  words: string
  own: boolean
}

/** Returns a function that finds the active maintenance window of a line of the tree; null for none. */
export function useMaintenanceLines(): (row: TreeRow) => LineMaintenance | null {
  const { session } = useAppContext()
  const windows = useActiveMaintenance()
  const { watched } = useSettings()
  const [lineage] = useState(() => createLineage(session.pipe))
  useStore(lineage.known)
  return (row) => {
    if (windows.length === 0) return null
    const path = lineage.pathOf(row)
    const active = activeOver(windows, path)
    return active === null
      ? null
      : {
          words: maintenanceText(
            active,
            path.some((id) => watched.includes(id)),
          ),
          own: active.node === row.id,
        }
  }
}

/** The watch list overrides maintenance windows. */
const maintenanceText = ({ words }: ActiveMaintenance, isWatched: boolean) =>
  isWatched ? `${words}; still notifies: on the watch list` : words

/**
 * An icon and a word on the window's own place, and only the icon below it. The sentence is the tooltip and part of the
 * line's label.
 */
export function MaintenanceMark({ maintenance: { words, own } }: { maintenance: LineMaintenance }) {
  return (
    <span className="maintenance-mark" title={words} aria-hidden>
      <Wrench size={12} />
      {own && <span className="maintenance-mark-word">Maintenance</span>}
    </span>
  )
}

/** The sentence about the maintenance window of a device in its detail. */
export function DeviceMaintenance({ row }: { row: DeviceRow }) {
  const windows = useActiveMaintenance()
  return windows.length === 0 ? null : <ActiveWindow row={row} windows={windows} />
}

function ActiveWindow({ row, windows }: { row: DeviceRow; windows: readonly ActiveMaintenance[] }) {
  const { watched } = useSettings()
  const path = usePath(row)
  const active = path === null ? null : activeOver(windows, path)
  if (path === null || active === null) return null
  return (
    <p className="maintenance-line">
      <Wrench size={13} aria-hidden />
      <span>{maintenanceText(active, watched.includes(row.key) || path.some((id) => watched.includes(id)))}</span>
    </p>
  )
}

/** Returns the ids of the places above a device; null until they are known. */
function usePath({ key, site, room, tenant }: DeviceRow): readonly string[] | null {
  const { session } = useAppContext()
  const { value } = useCall(`${key} ${tenant.id} ${site?.id} ${room?.id}`, async () => {
    const answer = await session.pipe.call('inventory.places', { asked: { device: key }, limit: 1 })
    const [active] = answer.ok ? answer.value.places : []
    return { key, path: active === undefined ? null : idsOf(active) }
  })
  return value?.key === key ? value.path : null
}
