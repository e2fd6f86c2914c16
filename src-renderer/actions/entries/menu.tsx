import { MenuItem, MenuSection } from 'react-aria-components'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { assertNever } from '../../../src-shared/model/fault.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { JobKind } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import type { AskedAction, DeviceActionKind, Subject } from '../device-actions.ts'
import { kindLabels } from '../labels.ts'
import { reasonAgainst, sizeReason, tenantOfNode, tenantsOf } from '../offers.ts'
import { placeInNode } from '../places/place-ids.ts'

const none: readonly ConnectionState[] = []
const deviceKinds = ['reboot', 'rename', 'move'] as const

/** Returns a function that says why an action on tenants is not available; '' when it is. */
export function useReasons(): (kind: JobKind, tenants: readonly string[] | null) => string {
  const { deviceActions, session } = useAppContext()
  const state = useStore(deviceActions.state)
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? none
  return (kind, tenants) => reasonAgainst(state, kind, tenants, connections)
}

interface Props {
  /** The devices; null for none. */
  subject: Subject | null
  /** True where the menu does not say how many devices it is about. */
  counted?: boolean
}

/** The actions on devices. Those that are not available are disabled, with the reason. */
export function DeviceActionItems({ subject, counted = false }: Props) {
  return (
    <MenuSection aria-label="Actions">
      {deviceKinds.map((kind) => (
        <DeviceItem key={kind} kind={kind} subject={subject} counted={counted} />
      ))}
    </MenuSection>
  )
}

function DeviceItem({ kind, subject, counted }: Required<Props> & { kind: DeviceActionKind }) {
  const reasonOf = useReasons()
  const reason =
    subject === null ? 'Choose a device first.' : sizeReason(subject) || reasonOf(kind, tenantsOf(subject.targets))
  return (
    <ActionItem
      label={
        counted && subject !== null ? `${kindLabels[kind]} ${many(subject.count, 'device')}…` : `${kindLabels[kind]}…`
      }
      reason={reason}
      asked={subject === null ? { what: 'none' } : { what: 'devices', kind, subject }}
    />
  )
}

function ActionItem({ label, reason, asked }: { label: string; reason: string; asked: AskedAction }) {
  const { deviceActions } = useAppContext()
  if (reason !== '')
    return (
      <MenuItem className="menu-item" isDisabled textValue={`${label} ${reason}`}>
        <span>
          {label}
          <span className="menu-reason">{reason}</span>
        </span>
      </MenuItem>
    )
  // The menu first returns the focus, so that the dialog returns it to the same element.
  return (
    <MenuItem className="menu-item" onAction={() => afterFrames(() => deviceActions.ask(asked))}>
      {label}
    </MenuItem>
  )
}

/** The actions of a line of the tree: on its devices, and on the site or room itself. */
export function TreeActionItems({ row }: { row: TreeRow }) {
  const devices = row.counts.connected + row.counts.disconnected + row.counts.unknown
  const subject: Subject = {
    targets: { query: { scope: row.id, filter: '', sort: [{ column: 'name', direction: 'asc' }] } },
    name: row.name,
    count: devices,
  }
  return (
    <>
      {devices > 0 && <DeviceActionItems subject={subject} counted />}
      <PlaceItems row={row} />
    </>
  )
}

/** The actions on a tenant, an account, a site or a room itself, of those that can have them. */
function placeActions({
  id,
  kind,
  name,
}: TreeRow): readonly { label: string; kind: 'site' | 'room'; asked: AskedAction }[] {
  const tenant = tenantOfNode(id)
  const place = placeInNode(id)
  if (tenant === null || (kind !== 'tenant' && place === null)) return []
  const ref = place === null ? null : { id: place.id, name }
  const newSite = (account: typeof ref): AskedAction => ({ what: 'site', tenant, site: null, account })
  const newRoom = (site: typeof ref): AskedAction => ({ what: 'room', tenant, room: null, site })
  switch (kind) {
    case 'tenant':
      return [
        { label: 'New site…', kind: 'site', asked: newSite(null) },
        { label: 'New room…', kind: 'room', asked: newRoom(null) },
      ]
    case 'account':
      return [{ label: 'New site…', kind: 'site', asked: newSite(ref) }]
    case 'site':
      return [
        { label: 'Edit the site…', kind: 'site', asked: { what: 'site', tenant, site: ref, account: null } },
        { label: 'New room…', kind: 'room', asked: newRoom(ref) },
      ]
    case 'room':
      return [{ label: 'Edit the room…', kind: 'room', asked: { what: 'room', tenant, room: id, site: null } }]
    case 'region':
    case 'device':
      return []
    default:
      return assertNever(kind)
  }
}

function PlaceItems({ row }: { row: TreeRow }) {
  const reasonOf = useReasons()
  const tenant = tenantOfNode(row.id)
  const items = placeActions(row)
  if (tenant === null || items.length === 0) return null
  return (
    <MenuSection aria-label="Sites and rooms">
      {items.map(({ label, kind, asked }) => (
        <ActionItem key={label} label={label} reason={reasonOf(kind, [tenant])} asked={asked} />
      ))}
    </MenuSection>
  )
}
