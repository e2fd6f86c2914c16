import { Download, Plus, Search, Upload } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState, type Dispatch, type SetStateAction } from 'react'
import { Button, Input, SearchField, ToggleButton } from 'react-aria-components'
import type { Fault } from '../../src-shared/model/fault.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import { saveFile } from '../lib/save-file.ts'
import { useOther } from '../app/use-other.ts'
import type { AppState } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { focusPane } from '../lib/ui/panes/focus-pane.ts'
import { connectionsText } from '../lib/format/connection-status.ts'
import { many } from '../lib/format/numbers.ts'
import { isFaulty } from '../lib/format/faults.ts'
import { ConnectionDetails } from './details.tsx'
import { GroupDetails } from './list/group-details.tsx'
import { grouped, type Line } from './list/grouping.ts'
import { ConnectionList } from './list/list.tsx'
import { listed, type Listing, metricsOf } from './list/listing.ts'
import { RemoveDialog } from './remove.tsx'
import { useCounts } from './list/use-counts.ts'

/** The target of the form: none, a new connection (`id: null`), or an existing one. */
export type Editing = null | { id: string | null }

/** The state of the screen, which is kept while another one is shown. */
export interface ConnectionsView {
  listing: Listing
  /** Id of the connection whose details are shown; null for the first of the list. */
  chosen: string | null
  /** Id of a new connection, whose details take the focus when they are loaded. */
  arriving: string | null
  /** Ids of the expanded groups. */
  open: readonly string[]
}

interface Props {
  app: AppState
  view: ConnectionsView
  onView: Dispatch<SetStateAction<ConnectionsView>>
  onEdit: (editing: Editing) => void
  onImport: () => void
}

export function ConnectionsScreen({ app, view, onView, onEdit, onImport }: Props) {
  const { session } = useAppContext()
  const coreLost = useStore(session.state, ({ reach }) => reach.state === 'lost')
  const [removing, setRemoving] = useState<string | null>(null)
  const { connections, gauges, keychain } = app
  const { listing, open } = view
  const counts = useCounts()
  const metrics = useMemo(() => metricsOf(counts, gauges), [counts, gauges])
  // Most changes are about devices, and need not render all lines again.
  const shown = useMemo(() => listed(connections, listing, metrics), [connections, listing, metrics])
  // The chosen connection is listed, even when its group is collapsed.
  const lines = useMemo(
    () => linesWith(view.chosen, (more) => grouped(shown, [...open, ...more])),
    [shown, open, view.chosen],
  )
  const chosen = lines.find(({ id }) => id === view.chosen) ?? lines[0]
  const removed = connections.find(({ id }) => id === removing) ?? null
  const leave = useLeftFocus(() => setRemoving(null))
  const { list, sort, toggle, choose } = useViewActions(onView)
  return (
    <div className="connections">
      <Head app={app} coreLost={coreLost} onAdd={() => onEdit({ id: null })} onImport={onImport} />
      <Notes app={app} />
      {connections.length > 1 && <FilterRow app={app} listing={listing} shown={shown.length} onList={list} />}
      {connections.length > 0 && (
        <div className="connections-panes">
          <div className="connections-list" id="connections">
            <ConnectionList
              lines={lines}
              metrics={metrics}
              listing={listing}
              chosen={chosen?.id ?? null}
              coreLost={coreLost}
              onSort={sort}
              onChoose={choose}
              onToggle={toggle}
            />
          </div>
          {chosen?.kind === 'group' && (
            <GroupDetails key={chosen.id} group={chosen} coreLost={coreLost} onChoose={choose} />
          )}
          {chosen?.kind === 'connection' && (
            <ConnectionDetails
              key={chosen.id}
              connection={chosen.connection}
              keychain={keychain}
              coreLost={coreLost}
              arriving={view.arriving === chosen.id}
              onArrived={() => onView((now) => ({ ...now, arriving: null }))}
              onDevices={() => session.open({ scope: everything, filter: '', device: null })}
              onEdit={() => onEdit({ id: chosen.id })}
              onRemove={() => setRemoving(chosen.id)}
            />
          )}
        </div>
      )}
      {removed !== null && <RemoveDialog connection={removed} onDone={() => setRemoving(null)} onRemoved={leave} />}
    </div>
  )
}

/**
 * Returns a function that closes the dialog and moves the focus to the list, or the screen, because the connection that
 * had it is gone.
 */
function useLeftFocus(onLeave: () => void): () => void {
  const [left, setLeft] = useState(false)
  useEffect(() => {
    if (!left) return undefined
    const frame = requestAnimationFrame(() => {
      focusPane(document.getElementById('connections') ?? document.getElementById('main'))
      setLeft(false)
    })
    return () => cancelAnimationFrame(frame)
  }, [left])
  return () => {
    onLeave()
    setLeft(true)
  }
}

/** Returns the functions that change the view, with stable identities. */
function useViewActions(onView: Props['onView']) {
  const list = useCallback(
    (change: Partial<Listing>) => onView((now) => ({ ...now, listing: { ...now.listing, ...change } })),
    [onView],
  )
  const sort = useCallback(
    (column: Listing['column'], direction: Listing['direction']) => list({ column, direction }),
    [list],
  )
  const toggle = useCallback(
    (group: string) =>
      onView((now) => ({
        ...now,
        chosen: group,
        open: now.open.includes(group) ? now.open.filter((each) => each !== group) : [...now.open, group],
      })),
    [onView],
  )
  const choose = useCallback((id: string) => onView((now) => ({ ...now, chosen: id })), [onView])
  return { list, sort, toggle, choose }
}

/** Notes about the demo's connection. */
function Notes({ app }: { app: AppState }) {
  return (
    <>
      {app.demo && (
        <p className="screen-note">
          The demo has one connection, which Muster makes anew at each start.{' '}
          {app.can.startOther ? (
            'Your own connections are separate from it.'
          ) : (
            <>
              To connect to your own service, start Muster with <code>--no-demo</code>.
            </>
          )}
        </p>
      )}
      {app.connections.length === 0 && (
        <p className="screen-note">
          There is no connection yet. A connection needs three URLs and a client id with its secret.
        </p>
      )}
    </>
  )
}

/** Returns the lines with the group expanded that contains this connection. */
function linesWith(id: string | null, lines: (open: readonly string[]) => Line[]): Line[] {
  const found = lines([])
  const group = found.find((line) => line.kind === 'group' && line.members.some((member) => member.id === id))
  return group === undefined ? found : lines([group.id])
}

function Head({
  app,
  coreLost,
  onAdd,
  onImport,
}: {
  app: AppState
  coreLost: boolean
  onAdd: () => void
  onImport: () => void
}) {
  const words = useTickedText((now) => (coreLost ? 'Core not running' : connectionsText(app.connections, now)))
  return (
    <div className="screen-head">
      <h1>Connections</h1>
      {app.connections.length > 1 && <span className="screen-sum">{words}</span>}
      <span className="spring" />
      {app.demo && app.can.startOther && <OwnCustomers />}
      {!app.demo && (
        <>
          {app.connections.length > 0 && <Export app={app} coreLost={coreLost} />}
          <Button className="button" isDisabled={coreLost} onPress={onImport}>
            <Upload size={14} aria-hidden />
            Import
          </Button>
          <Button className="button primary" isDisabled={coreLost} onPress={onAdd}>
            <Plus size={15} aria-hidden />
            Add a connection
          </Button>
        </>
      )}
    </div>
  )
}

/** Opens the operator's Muster from the demo, with its import dialog. */
function OwnCustomers() {
  const { started, fault, start } = useOther()
  return (
    <>
      <FaultNote fault={fault} />
      <Button className="button" isDisabled={started} onPress={() => start('import')}>
        <Upload size={14} aria-hidden />
        Import customers
      </Button>
      <Button className="button primary" isDisabled={started} onPress={() => start('connection')}>
        <Plus size={15} aria-hidden />
        {started ? 'Muster opens…' : 'Connect your service'}
      </Button>
    </>
  )
}

function Export({ app, coreLost }: { app: AppState; coreLost: boolean }) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  async function run() {
    const answer = await session.pipe.call('connections.export', {})
    const saved = answer.ok
      ? await saveFile(session.pipe, app.shell, 'muster-connections.csv', 'text/csv', [answer.value.text])
      : answer
    setFault(saved.ok ? null : saved.fault)
  }
  return (
    <>
      <FaultNote fault={fault} />
      <Button className="button" isDisabled={coreLost} aria-label="Export without secrets" onPress={() => void run()}>
        <Download size={14} aria-hidden />
        Export
      </Button>
    </>
  )
}

function FilterRow({
  app,
  listing,
  shown,
  onList,
}: {
  app: AppState
  listing: Listing
  shown: number
  onList: (change: Partial<Listing>) => void
}) {
  const faulty = app.connections.filter(isFaulty).length
  return (
    <div className="filter-row">
      <SearchField
        className="search"
        aria-label="Filter connections"
        value={listing.text}
        onChange={(text) => onList({ text })}
      >
        <Search size={14} aria-hidden />
        <Input
          className="search-input"
          id="connections-filter"
          placeholder="Name, address or client id"
          spellCheck={false}
        />
      </SearchField>
      <ToggleButton className="button toggle" isSelected={listing.faulty} onChange={(on) => onList({ faulty: on })}>
        With errors<span className="toggle-count">{faulty}</span>
      </ToggleButton>
      <span className="muted-text" role="status">
        {shown === app.connections.length
          ? many(shown, 'connection')
          : `${shown} of ${many(app.connections.length, 'connection')}`}
      </span>
    </div>
  )
}
