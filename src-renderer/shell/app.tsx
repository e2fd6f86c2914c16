import { useEffect, useState } from 'react'
import type { SettingsPart } from '../../src-shared/rooms.ts'
import { firstListing } from '../connections/listing.ts'
import type { ConnectionsView, Editing } from '../connections/room.tsx'
import { useDrawn } from '../diagnostics/use-drawn.ts'
import { enterFilter } from '../inventory/enter-filter.ts'
import type { Incidents } from '../incidents/incidents.ts'
import { IncidentsRoom } from '../incidents/room.tsx'
import type { Inventory } from '../inventory/inventory.ts'
import { InventoryRoom } from '../inventory/room.tsx'
import { Palette } from '../palette/palette.tsx'
import { useCommandKeys } from '../palette/use-command-keys.ts'
import { QuietDialogs } from '../quiet/dialogs.tsx'
import type { AppState } from '../session.ts'
import { useAppearance } from '../settings/appearance.ts'
import { StatusBar } from '../status/bar.tsx'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { useAttention } from '../tellings/attention.ts'
import { inTrouble } from '../words/trouble.ts'
import { useScrolls } from '../ui/scrolls.ts'
import { Banner, RefreshLine } from './banner.tsx'
import { FirstSync } from './first-sync.tsx'
import { Header } from './header.tsx'
import { useKeys } from './keys.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { useLateRooms, type LateRooms } from './late-rooms.ts'
import { Notices } from './notices.tsx'
import { useRefresh } from './use-refresh.ts'
import { useRoom } from './use-room.ts'
import { Rail } from './rail.tsx'
import { NotReached, Welcome } from './welcome.tsx'

export function App({ inventory, incidents }: { inventory: Inventory; incidents: Incidents }) {
  const { session } = useSurroundings()
  const { app, reach } = useStore(session.state)
  if (app === null) return <NotReached />
  return <Console inventory={inventory} incidents={incidents} app={app} blind={reach.state === 'lost'} />
}

interface Props {
  inventory: Inventory
  incidents: Incidents
  app: AppState
  blind: boolean
}

function Console({ inventory, incidents, app, blind }: Props) {
  const late = useLateRooms()
  const [editing, setEditing] = useState<Editing>(null)
  const [connectionsView, setConnectionsView] = useState<ConnectionsView>({
    listing: firstListing,
    chosen: null,
    arriving: null,
    open: [],
  })
  const [importing, setImporting] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  useKeys({ onHelp: () => setKeysOpen(true), onFilter: () => enterFilter(inventory) })
  const refresh = useRefresh(app, blind)
  useCommandKeys(() => setPaletteOpen(true), refresh.ask)
  useAppearance()
  useDrawn()
  useAttention(app, blind)
  const { room, toRoom, back, part, arrived } = useRoom(incidents, (dialog) => {
    if (dialog === 'keys') setKeysOpen(true)
    else if (dialog === 'import') setImporting(true)
    else setEditing({ id: null })
  })
  // What failed while the core was away is no longer so when it is there again.
  useEffect(() => {
    if (!blind && inventory.acts.state.get().failed) inventory.acts.forget()
  }, [blind, inventory])
  const { box: bars, scrolls } = useScrolls('.bar-words')
  const toSettings = (part?: SettingsPart) => toRoom('settings', part)
  const empty = app.connections.length === 0
  /** All connections with one of them chosen, or those in trouble; nothing else that was filtered stands in the way. */
  const showConnections = ({
    chosen = null,
    arriving = null,
    troubled = false,
  }: Partial<Pick<ConnectionsView, 'chosen' | 'arriving'>> & { troubled?: boolean }) => {
    setConnectionsView({
      listing: { ...firstListing, troubled: troubled && app.connections.some(inTrouble) },
      chosen,
      arriving,
      open: [],
    })
    toRoom('connections')
  }
  return (
    <div className="window">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Header app={app} inventory={inventory} blind={blind} refresh={refresh} onKeys={() => setKeysOpen(true)} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
      <div ref={bars} className="bars" role="region" aria-label="Messages" tabIndex={scrolls ? 0 : undefined}>
        <Banner
          app={app}
          quiet={room === 'connections'}
          onEdit={(id) => setEditing({ id })}
          onShow={() => showConnections({ troubled: true })}
          onSettings={toSettings}
        />
        {!blind && <FirstSync connections={app.connections} gauges={app.gauges} />}
        <RefreshLine words={refresh.words} onDismiss={refresh.dismiss} />
        <Notices notices={app.notices} onSettings={toSettings} />
      </div>
      <Rail room={room} incidents={app.incidents} onRoom={toRoom} />
      <main id="main" tabIndex={-1}>
        {room === 'inventory' && !empty && <InventoryRoom inventory={inventory} blind={blind} />}
        {room === 'inventory' && empty && (
          <Welcome
            canDemo={app.can.startOther}
            onAdd={() => setEditing({ id: null })}
            onImport={() => setImporting(true)}
          />
        )}
        {room === 'incidents' && <IncidentsRoom incidents={incidents} app={app} blind={blind} onBack={back} />}
        {room === 'connections' && late !== null && (
          <late.ConnectionsRoom
            app={app}
            view={connectionsView}
            onView={setConnectionsView}
            onEdit={setEditing}
            onImport={() => setImporting(true)}
          />
        )}
        {room === 'diagnostics' && late !== null && <late.DiagnosticsRoom blind={blind} />}
        {room === 'settings' && late !== null && (
          <late.SettingsRoom
            app={app}
            blind={blind}
            part={part}
            onArrived={arrived}
            onDiagnostics={() => toRoom('diagnostics')}
          />
        )}
      </main>
      <StatusBar
        app={app}
        blind={blind}
        onConnections={(chosen) => showConnections({ chosen, troubled: chosen === null })}
        onPoints={() => toSettings('points')}
        onUpdates={() => toSettings('updates')}
      />
      <KeysDialog open={keysOpen} onOpen={setKeysOpen} />
      {importing && late !== null && (
        <late.ImportDialog
          keychain={app.keychain}
          onDone={() => setImporting(false)}
          onStored={() => showConnections({})}
        />
      )}
      <Palette
        open={paletteOpen}
        onOpen={setPaletteOpen}
        inventory={inventory}
        incidents={incidents}
        app={app}
        onRoom={toRoom}
        onHelp={() => setKeysOpen(true)}
        onRefresh={refresh.ask}
        onAdd={() => setEditing({ id: null })}
      />
      <QuietDialogs blind={blind} />
      <Edited
        late={late}
        app={app}
        editing={editing}
        onEditing={setEditing}
        onSaved={(id) => showConnections({ chosen: id, arriving: id })}
      />
    </div>
  )
}

/** The form lies over whatever room it was called from, so that calling it off leads back to the button that called it. */
function Edited({
  late,
  app,
  editing,
  onEditing,
  onSaved,
}: {
  late: LateRooms | null
  app: AppState
  editing: Editing
  onEditing: (editing: Editing) => void
  onSaved: (id: string) => void
}) {
  const connection = app.connections.find(({ id }) => id === editing?.id) ?? null
  if (late === null || editing === null || (editing.id !== null && connection === null)) return null
  const saved = (id: string) => {
    onEditing(null)
    if (editing.id === null) onSaved(id)
  }
  return (
    <late.ConnectionDialog
      key={editing.id}
      connection={connection}
      keychain={app.keychain}
      onDone={() => onEditing(null)}
      onSaved={saved}
    />
  )
}
