import {
  Briefcase,
  Building2,
  ChevronRight,
  DoorOpen,
  Eye,
  Globe,
  MapPin,
  Monitor,
  type LucideIcon,
} from 'lucide-react'
import type { CSSProperties, MouseEvent } from 'react'
import { isolated } from '../../../src-shared/text/direction.ts'
import type { DeviceStatus, NodeKind, TreeRow } from '../../../src-shared/model/inventory.ts'
import { type LineMaintenance, MaintenanceMark } from '../../policies/maintenance/mark.tsx'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { unknownCounts, numberText, many, total } from '../../lib/format/numbers.ts'
import { statusLabels } from '../../lib/format/device.ts'
import { roomFactsText } from '../../lib/format/room-facts.ts'
import { placeName } from '../../lib/format/suggested.ts'
import { isBlank, NameText } from '../../lib/ui/name-text.tsx'

const icons: Record<NodeKind, LucideIcon> = {
  region: Globe,
  tenant: Building2,
  account: Briefcase,
  site: MapPin,
  room: DoorOpen,
  device: Monitor,
}

interface Props {
  /** Undefined while the line is loading. */
  row: TreeRow | undefined
  index: number
  /** Distance from the top of the tree, in CSS pixels. */
  top: number
  coreLost: boolean
  active: boolean
  selected: boolean
  /** True for a place on the watch list. */
  watched: boolean
  /** The active maintenance window over it. */
  maintenance: LineMaintenance | null
  /** Called when the mouse button goes down on the line: the cursor moves there first. */
  onPress: () => void
  onToggle: (row: TreeRow) => void
  onChoose: (row: TreeRow) => void
  onMenu: (event: MouseEvent, row: TreeRow) => void
}

export function TreeLine({
  row,
  index,
  top,
  coreLost,
  active,
  selected,
  watched,
  maintenance,
  onPress,
  onToggle,
  onChoose,
  onMenu,
}: Props) {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? []
  const place = { transform: `translateY(${top}px)` }
  if (row === undefined) return <LoadingLine index={index} style={place} />
  const toggle = (event: MouseEvent) => {
    event.stopPropagation()
    onPress()
    onToggle(row)
  }
  const choose = () => {
    onPress()
    onChoose(row)
  }
  const name = placeName(row, connections)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the tree has the focus and the keys; this line is its active descendant
    <div
      role="treeitem"
      id={`line-${index}`}
      className="tree-line"
      aria-level={row.level}
      aria-setsize={row.setSize}
      aria-posinset={row.posInSet}
      aria-expanded={row.expanded ?? undefined}
      aria-selected={selected}
      aria-label={[label({ ...row, name }, coreLost), watched && 'on the watch list', maintenance?.words]
        .filter(Boolean)
        .join(', ')}
      data-active={active}
      data-kind={row.kind}
      data-placeless={row.placeless}
      style={{ ...place, '--level': row.level }}
      title={row.roomFacts && roomFactsText(row.roomFacts)}
      onClick={choose}
      onContextMenu={(event) => onMenu(event, row)}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the mouse's way to what the arrow keys do */}
      <span
        className="twist"
        data-open={row.expanded ?? undefined}
        onClick={row.expanded === null ? undefined : toggle}
      >
        {row.expanded !== null && <ChevronRight size={14} aria-hidden />}
      </span>
      <KindMark row={row} coreLost={coreLost} />
      {watched && <Eye className="watched-mark" size={13} aria-hidden />}
      <NameText name={name} clip />
      {maintenance !== null && <MaintenanceMark maintenance={maintenance} />}
      {row.kind !== 'device' && <LineCounts row={row} coreLost={coreLost} />}
    </div>
  )
}

/** The icon of a place; the status of a device. */
function KindMark({ row, coreLost }: { row: TreeRow; coreLost: boolean }) {
  const Icon = icons[row.kind]
  return row.kind === 'device' ? (
    <StatusMark status={coreLost ? 'unknown' : statusOf(row)} />
  ) : (
    <Icon className="kind" size={14} aria-hidden />
  )
}

function LoadingLine({ index, style }: { index: number; style: CSSProperties }) {
  return (
    <div
      role="treeitem"
      id={`line-${index}`}
      className="tree-line"
      aria-label="Loading…"
      aria-selected={false}
      style={style}
    >
      <span className="skeleton" />
    </div>
  )
}

function LineCounts({ row, coreLost }: { row: TreeRow; coreLost: boolean }) {
  const counts = coreLost ? unknownCounts(row.counts) : row.counts
  return (
    <span className="line-counts">
      {counts.disconnected > 0 && (
        <span className="status-disconnected">
          <StatusMark status="disconnected" />
          {numberText(counts.disconnected)}
        </span>
      )}
      {counts.unknown > 0 && (
        <span className="status-unknown">
          <StatusMark status="unknown" />
          {counts.unknown < total(counts) && <span>{numberText(counts.unknown)}</span>}
        </span>
      )}
      <LineTotal row={row} />
    </span>
  )
}

/** The number of devices, so far for a place that was not fully synced. */
function LineTotal({ row }: { row: TreeRow }) {
  const all = total(row.counts)
  if (row.readAt !== null) return <span className="line-total">{numberText(all)}</span>
  return (
    <span className="line-total" title="Not synced completely yet">
      {all === 0 ? '–' : `≥ ${numberText(all)}`}
    </span>
  )
}

function label(row: TreeRow, coreLost: boolean): string {
  const name = isBlank(row.name) ? 'no name' : isolated(row.name.slice(0, 200))
  if (row.kind === 'device') return `${name}, ${coreLost ? 'unknown' : statusLabels[statusOf(row)]}`
  const counts = coreLost ? unknownCounts(row.counts) : row.counts
  const parts = [`${name}, ${row.kind}`, countLabel(row)]
  if (counts.disconnected > 0) parts.push(`${numberText(counts.disconnected)} offline`)
  if (counts.unknown > 0) parts.push(`${numberText(counts.unknown)} unknown`)
  if (row.roomFacts !== undefined) parts.push(roomFactsText(row.roomFacts))
  return parts.join(', ')
}

function countLabel({ readAt, counts }: TreeRow): string {
  const all = total(counts)
  if (readAt !== null) return many(all, 'device')
  return all === 0 ? 'not synced yet' : `at least ${many(all, 'device')}`
}

function statusOf({ counts }: TreeRow): DeviceStatus {
  if (counts.connected > 0) return 'connected'
  return counts.disconnected > 0 ? 'disconnected' : 'unknown'
}
