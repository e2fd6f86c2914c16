import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { syncsText } from '../../lib/format/connection-status.ts'
import { many, total } from '../../lib/format/numbers.ts'
import type { Inventory, Unread } from '../inventory.ts'
import { noMatchText, useRelaxed } from '../filter/relaxed-filter.ts'
import { NotLoaded, NotSearched } from '../columns/not-loaded.tsx'
import { segmentOf, withSegment, type Segment } from '../filter/segments.ts'
import { useNothingSynced } from './nothing-synced.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** Replaces the rows while there are none. Loading, no match, and not synced yet each have their own text. */
export function NoRows({ inventory }: { inventory: Inventory }) {
  const loaded = useStore(inventory.rows.state)
  const view = useStore(inventory.view)
  const { counts, spares } = useStore(inventory.scope.state)
  const unread = useNothingSynced()
  const notLoaded = useStore(inventory.unread)
  if (loaded.fault !== null && loaded.fault.kind !== 'stopped')
    return <EmptyList title={explain(loaded.fault).title}>{explain(loaded.fault).advice}</EmptyList>
  if (loaded.total === null) return <Skeletons />
  if (loaded.total > 0 || loaded.pending) return null
  if (unread) return <NotSynced />
  if (notLoaded.length > 0) return <CountsUnknown inventory={inventory} unread={notLoaded} />
  if (withSegment(view.filter, 'any') !== '') return <NoMatch inventory={inventory} />
  const segment = segmentOf(view.filter) ?? 'any'
  return (
    <EmptyList title={noneTitle(segment, counts, spares.down, view.path.at(-1)?.id)}>
      {noneAdvice(segment, counts)}
    </EmptyList>
  )
}

function EmptyList({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="no-rows" role="status">
      <p className="no-rows-title">{title}</p>
      {children !== undefined && <div className="no-rows-text">{children}</div>}
    </div>
  )
}

/** Shown when the filter's fields are not loaded, so that "no match" would be unfounded. */
function CountsUnknown({ inventory, unread }: { inventory: Inventory; unread: Unread }) {
  return (
    <EmptyList title="Not loaded yet">
      <NotLoaded inventory={inventory} unread={unread} />
      <span className="no-rows-actions">
        <Button className="button" onPress={() => inventory.setFilter('')}>
          Clear the filter
        </Button>
      </span>
    </EmptyList>
  )
}

function NoMatch({ inventory }: { inventory: Inventory }) {
  const { path, filter } = useStore(inventory.view)
  const last = path.at(-1)
  const segment = segmentOf(filter)
  const relaxed = useRelaxed(inventory)
  return (
    <EmptyList title="No matches">
      <p>
        No devices match <Isolated className="mono">{filter.slice(0, 200)}</Isolated> in{' '}
        {last === undefined ? 'all tenants' : <Isolated>{last.name}</Isolated>}.
      </p>
      {relaxed !== null && (
        <p>
          <Isolated>{noMatchText(relaxed)}</Isolated> Exact match; <span className="mono">*</span> is a wildcard.
        </p>
      )}
      <NotSearched inventory={inventory} />
      <span className="no-rows-actions">
        {relaxed !== null && (
          <Button className="button" onPress={() => inventory.setFilter(relaxed.filter)}>
            Try <Isolated className="mono">{relaxed.loose}</Isolated>
          </Button>
        )}
        {segment !== 'any' && (
          <Button className="button" onPress={() => inventory.setSegment('any')}>
            Search all devices
          </Button>
        )}
        {last !== undefined && (
          <Button className="button" onPress={() => inventory.setPath([])}>
            Search all tenants
          </Button>
        )}
        <Button className="button" onPress={() => inventory.setFilter('')}>
          Clear the filter
        </Button>
      </span>
    </EmptyList>
  )
}

/** Shown before the first sync, without any statement about the fleet. */
function NotSynced() {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? []
  const gauges = useStore(session.state, ({ app }) => app?.gauges) ?? []
  const words = useTickedText((now) => syncsText(connections, now, gauges))
  return (
    <EmptyList title="No sync yet.">
      {words === '' ? 'Devices appear here with the first sync.' : `${words}.`}
    </EmptyList>
  )
}

function Skeletons() {
  return (
    <div className="skeletons" aria-hidden="true">
      {Array.from({ length: 14 }, (_, index) => (
        <div key={index} className="skeleton-row">
          <span className="skeleton" />
          <span className="skeleton" />
          <span className="skeleton" />
        </div>
      ))}
    </div>
  )
}

const segmentLabels: Record<Segment, string> = { any: '', down: 'offline', connected: 'online', unknown: 'unknown' }

function noneTitle(status: Segment, counts: Counts | null, spares: number, scope: string | undefined): string {
  if (counts !== null && total(counts) === 0) return emptyText(scope)
  if (status === 'down' && spares > 0) return 'No device but spares is offline here.'
  return status === 'any' ? 'There are no devices here.' : `No device here is ${segmentLabels[status]}.`
}

/** A place that a service lists may have no devices yet. The kind is in the node's id (inventory/keys.ts). */
function emptyText(scope = ''): string {
  if (scope.startsWith('m:')) return 'No devices in this room.'
  if (scope.startsWith('s:')) return 'No devices in this site.'
  return scope.startsWith('a:') ? 'No devices in this account.' : 'There are no devices here.'
}

function noneAdvice(status: Segment, counts: Counts | null): string {
  if (counts === null || total(counts) === 0) return ''
  if (status !== 'down') return ''
  const online = `${many(counts.connected, 'device')} ${counts.connected === 1 ? 'is' : 'are'} online.`
  return counts.unknown === 0
    ? online
    : `${online} ${many(counts.unknown, 'device')} ${counts.unknown === 1 ? 'is' : 'are'} unknown.`
}
