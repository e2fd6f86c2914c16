import { MenuItem, MenuSection } from 'react-aria-components'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { JobKind } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { useStore } from '../../lib/store.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import type { AskedAction, DeviceActionKind, Subject } from '../device-actions.ts'
import { kindLabels } from '../labels.ts'
import { reasonAgainst, tenantOfNode, tenantsOf } from '../offers.ts'
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

/** The actions on devices. Those that are not available are disabled, with the reason. */
export function DeviceActionItems({ subject }: { subject: Subject | null }) {
  return (
    <MenuSection aria-label="Actions">
      {deviceKinds.map((kind) => (
        <DeviceItem key={kind} kind={kind} subject={subject} />
      ))}
    </MenuSection>
  )
}

function DeviceItem({ kind, subject }: { kind: DeviceActionKind; subject: Subject | null }) {
  const reasonOf = useReasons()
  const reason = subject === null ? 'Choose a device first.' : reasonOf(kind, tenantsOf(subject.targets))
  return (
    <ActionItem
      label={`${kindLabels[kind]}…`}
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
  const subject: Subject = {
    targets: { query: { scope: row.id, filter: '', sort: [{ column: 'name', direction: 'asc' }] } },
    name: row.name,
  }
  const devices = row.counts.connected + row.counts.disconnected + row.counts.unknown
  return (
    <>
      {devices > 0 && <DeviceActionItems subject={subject} />}
      <PlaceItems row={row} />
    </>
  )
}

function PlaceItems({ row: { id, kind, name } }: { row: TreeRow }) {
  const reasonOf = useReasons()
  const tenant = tenantOfNode(id)
  const place = placeInNode(id)
  if (tenant === null || kind === 'device') return null
  const [site, room] = [reasonOf('site', [tenant]), reasonOf('room', [tenant])]
  const ref = place === null ? null : { id: place.id, name }
  return (
    <MenuSection aria-label="Sites and rooms">
      {kind === 'tenant' && <ActionItem label="New site…" reason={site} asked={{ what: 'site', tenant, site: null }} />}
      {kind === 'site' && place !== null && (
        <ActionItem label="Edit the site…" reason={site} asked={{ what: 'site', tenant, site: ref }} />
      )}
      {(kind === 'tenant' || (kind === 'site' && place !== null)) && (
        <ActionItem
          label="New room…"
          reason={room}
          asked={{ what: 'room', tenant, room: null, site: kind === 'site' ? ref : null }}
        />
      )}
    </MenuSection>
  )
}
