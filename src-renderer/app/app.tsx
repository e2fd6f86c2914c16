import { useEffect, useState } from 'react'
import type { Screen, SettingsSection } from '../../src-shared/navigation/screens.ts'
import { firstListing } from '../connections/list/listing.ts'
import type { ConnectionsView, Editing } from '../connections/screen.tsx'
import { usePainted } from '../diagnostics/use-painted.ts'
import { enterFilter } from '../inventory/filter/field/enter-filter.ts'
import type { Incidents } from '../incidents/incidents.ts'
import { IncidentsScreen } from '../incidents/screen.tsx'
import type { Inventory } from '../inventory/inventory.ts'
import { InventoryScreen } from '../inventory/screen.tsx'
import { shownPlace } from '../overview/place/shown-place.ts'
import { shownReport } from '../overview/report/shown-report.ts'
import { Palette } from './palette/palette.tsx'
import { useCommandKeys } from './palette/use-command-keys.ts'
import type { AppState } from '../lib/session.ts'
import { useAppearance } from '../settings/appearance.ts'
import { StatusBar } from './status/bar.tsx'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { LazyPartsProvider } from '../lib/lazy-parts.tsx'
import { QueryLoader } from '../query/loader.tsx'
import { useAttention } from '../notifications/attention.ts'
import { isFaulty } from '../lib/format/faults.ts'
import { useScrolls } from '../lib/ui/panes/use-overflow.ts'
import { Banner, RefreshLine } from './banners/connection-banner.tsx'
import { FirstSync } from './banners/first-sync.tsx'
import { Header } from './header/header.tsx'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { useVisits } from '../changes/visits.ts'
import { useKeys, KeysDialog } from './keys.tsx'
import { useLazyScreens, type LazyScreens } from './screens/lazy-screens.ts'
import { Banners } from './banners/banners.tsx'
import { useRefresh } from './header/use-refresh.ts'
import { useScreen } from './screens/use-screen.ts'
import { Rail } from './rail.tsx'
import { NotReached, Welcome } from './welcome.tsx'
import { showWall, wallShown } from '../wall/shown-wall.ts'

export function App({ inventory, incidents }: { inventory: Inventory; incidents: Incidents }) {
  const { session } = useAppContext()
  const { app, reach } = useStore(session.state)
  const lazy = useLazyScreens()
  const isWall = useStore(wallShown)
  useEffect(() => session.onOpen((what) => wallShown.set(what.wall === true)), [session])
  if (app === null) return <NotReached />
  const coreLost = reach.state === 'lost'
  return (
    <LazyPartsProvider value={lazy}>
      {isWall && lazy !== null ? (
        <lazy.Wall app={app} coreLost={coreLost} />
      ) : (
        <Console inventory={inventory} incidents={incidents} app={app} coreLost={coreLost} lazy={lazy} />
      )}
    </LazyPartsProvider>
  )
}

/** In the rail, the overview is the overview itself, and not the place that it showed last. */
const chosenFrom = (toScreen: (screen: Screen) => void) => (screen: Screen) => {
  if (screen === 'overview') {
    shownPlace.set(null)
    shownReport.set(null)
  }
  toScreen(screen)
}

interface Props {
  inventory: Inventory
  incidents: Incidents
  app: AppState
  coreLost: boolean
}

function Console({ inventory, incidents, app, coreLost, lazy }: Props & { lazy: LazyScreens | null }) {
  const dialogs = useDialogs()
  const { setEditing, setImporting, setKeysOpen, setPaletteOpen } = dialogs
  useVisits(systemClock)
  useConsoleKeys(inventory, () => setKeysOpen(true))
  const refresh = useRefresh(app, coreLost)
  useCommandKeys(() => setPaletteOpen(true), refresh.ask)
  useAppearance()
  usePainted()
  useAttention(app, coreLost)
  const path = useScreen(incidents, (dialog) => {
    if (dialog === 'keys') setKeysOpen(true)
    else if (dialog === 'import') setImporting(true)
    else setEditing({ id: null })
  })
  const { screen, toScreen } = path
  useForgottenFailure(inventory, coreLost)
  const toSettings = (part?: SettingsSection) => toScreen('settings', part)
  const connections = useConnectionsView(app, toScreen)
  return (
    <div className="window">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Header app={app} inventory={inventory} coreLost={coreLost} refresh={refresh} onKeys={() => setKeysOpen(true)} />
      <Messages
        app={app}
        coreLost={coreLost}
        screen={screen}
        refresh={refresh}
        onEdit={(id) => setEditing({ id })}
        onConnections={() => connections.show({ faulty: true })}
        onSettings={toSettings}
      />
      <Rail screen={screen} incidents={app.incidents} onScreen={chosenFrom(toScreen)} />
      <main id="main" tabIndex={-1}>
        <CurrentScreen
          inventory={inventory}
          incidents={incidents}
          app={app}
          coreLost={coreLost}
          lazy={lazy}
          path={path}
          connections={connections}
          dialogs={dialogs}
        />
      </main>
      <StatusBar
        app={app}
        coreLost={coreLost}
        onConnections={(chosen) => connections.show({ chosen, faulty: chosen === null })}
        onPoints={() => toSettings('points')}
        onUpdates={() => toSettings('updates')}
      />
      <Dialogs
        inventory={inventory}
        incidents={incidents}
        app={app}
        coreLost={coreLost}
        lazy={lazy}
        dialogs={dialogs}
        connections={connections}
        onScreen={chosenFrom(toScreen)}
        onRefresh={refresh.ask}
      />
    </div>
  )
}

function useConsoleKeys(inventory: Inventory, onHelp: () => void) {
  const { session } = useAppContext()
  useKeys({ onHelp, onFilter: () => enterFilter(inventory), onWall: () => showWall(session) })
}

/** Clears the fault of an action that failed while the core was unreachable, when the core is reachable again. */
function useForgottenFailure(inventory: Inventory, coreLost: boolean) {
  useEffect(() => {
    if (!coreLost && inventory.actions.state.get().failed) inventory.actions.forget()
  }, [coreLost, inventory])
}

function useDialogs() {
  const [editing, setEditing] = useState<Editing>(null)
  const [importing, setImporting] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  return { editing, setEditing, importing, setImporting, keysOpen, setKeysOpen, paletteOpen, setPaletteOpen }
}

interface ShowOptions extends Partial<Pick<ConnectionsView, 'chosen' | 'arriving'>> {
  /** Lists only connections with errors, if there are any. */
  faulty?: boolean
}

/** The state of the connections screen, and a function that opens it. */
function useConnectionsView(app: AppState, toScreen: (screen: 'connections') => void) {
  const [view, setView] = useState<ConnectionsView>({
    listing: firstListing,
    chosen: null,
    arriving: null,
    open: [],
  })
  /** Lists all connections with one of them chosen, or those with errors, and clears the other filters. */
  const show = ({ chosen = null, arriving = null, faulty = false }: ShowOptions) => {
    setView({
      listing: { ...firstListing, faulty: faulty && app.connections.some(isFaulty) },
      chosen,
      arriving,
      open: [],
    })
    toScreen('connections')
  }
  return { view, setView, show }
}

interface MessagesProps extends Pick<Props, 'app' | 'coreLost'> {
  screen: Screen
  refresh: ReturnType<typeof useRefresh>
  onEdit: (id: string) => void
  onConnections: () => void
  onSettings: (part?: SettingsSection) => void
}

/** Banners that are shown above every screen. */
function Messages({ app, coreLost, screen, refresh, onEdit, onConnections, onSettings }: MessagesProps) {
  const { box, scrolls } = useScrolls('.bar-text')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
    <div ref={box} className="bars" role="region" aria-label="Messages" tabIndex={scrolls ? 0 : undefined}>
      <Banner
        app={app}
        isOnConnections={screen === 'connections'}
        onEdit={onEdit}
        onShow={onConnections}
        onSettings={onSettings}
      />
      {!coreLost && <FirstSync connections={app.connections} gauges={app.gauges} />}
      <RefreshLine words={refresh.words} onDismiss={refresh.dismiss} />
      <Banners banners={app.banners} onSettings={onSettings} />
    </div>
  )
}

interface ScreenProps extends Props {
  lazy: LazyScreens | null
  path: ReturnType<typeof useScreen>
  connections: ReturnType<typeof useConnectionsView>
  dialogs: ReturnType<typeof useDialogs>
}

function CurrentScreen({ inventory, incidents, app, coreLost, lazy, path, connections, dialogs }: ScreenProps) {
  const { screen, toScreen, back, part, arrived } = path
  const { setEditing, setImporting } = dialogs
  const empty = app.connections.length === 0
  return (
    <>
      {screen === 'inventory' && !empty && <InventoryScreen inventory={inventory} coreLost={coreLost} />}
      {screen === 'overview' && !empty && lazy !== null && <lazy.OverviewScreen app={app} coreLost={coreLost} />}
      {(screen === 'inventory' || screen === 'overview') && empty && (
        <Welcome
          canDemo={app.can.startOther}
          onAdd={() => setEditing({ id: null })}
          onImport={() => setImporting(true)}
        />
      )}
      {screen === 'incidents' && <IncidentsScreen incidents={incidents} app={app} coreLost={coreLost} onBack={back} />}
      {screen === 'changes' && lazy !== null && <lazy.ChangesScreen coreLost={coreLost} />}
      {screen === 'actions' && lazy !== null && <lazy.ActionsScreen coreLost={coreLost} />}
      {screen === 'query' && <QueryLoader coreLost={coreLost} />}
      {screen === 'connections' && lazy !== null && (
        <lazy.ConnectionsScreen
          app={app}
          view={connections.view}
          onView={connections.setView}
          onEdit={setEditing}
          onImport={() => setImporting(true)}
        />
      )}
      {screen === 'diagnostics' && lazy !== null && <lazy.DiagnosticsScreen coreLost={coreLost} />}
      {screen === 'settings' && lazy !== null && (
        <lazy.SettingsScreen
          app={app}
          coreLost={coreLost}
          part={part}
          onArrived={arrived}
          onDiagnostics={() => toScreen('diagnostics')}
        />
      )}
    </>
  )
}

interface DialogsProps extends Props {
  lazy: LazyScreens | null
  dialogs: ReturnType<typeof useDialogs>
  connections: ReturnType<typeof useConnectionsView>
  onScreen: ReturnType<typeof useScreen>['toScreen']
  onRefresh: ReturnType<typeof useRefresh>['ask']
}

/** Dialogs that can be open over every screen. */
function Dialogs({
  inventory,
  incidents,
  app,
  coreLost,
  lazy,
  dialogs,
  connections,
  onScreen,
  onRefresh,
}: DialogsProps) {
  const { keysOpen, setKeysOpen, paletteOpen, setPaletteOpen, importing, setImporting, editing, setEditing } = dialogs
  return (
    <>
      <KeysDialog open={keysOpen} onOpen={setKeysOpen} />
      {importing && lazy !== null && (
        <lazy.ImportDialog
          keychain={app.keychain}
          onDone={() => setImporting(false)}
          onStored={() => connections.show({})}
        />
      )}
      <Palette
        open={paletteOpen}
        onOpen={setPaletteOpen}
        inventory={inventory}
        incidents={incidents}
        app={app}
        onScreen={onScreen}
        onHelp={() => setKeysOpen(true)}
        onRefresh={onRefresh}
        onAdd={() => setEditing({ id: null })}
      />
      {lazy !== null && <lazy.PolicyDialogs coreLost={coreLost} />}
      {lazy !== null && <lazy.ActionDialogs coreLost={coreLost} />}
      {lazy !== null && <lazy.ActionMessage />}
      <ConnectionEditor
        lazy={lazy}
        app={app}
        editing={editing}
        onEditing={setEditing}
        onSaved={(id) => connections.show({ chosen: id, arriving: id })}
      />
    </>
  )
}

/**
 * The connection form. It opens over the present screen, so that cancelling it returns to the button that opened it.
 */
function ConnectionEditor({
  lazy,
  app,
  editing,
  onEditing,
  onSaved,
}: {
  lazy: LazyScreens | null
  app: AppState
  editing: Editing
  onEditing: (editing: Editing) => void
  onSaved: (id: string) => void
}) {
  const connection = app.connections.find(({ id }) => id === editing?.id) ?? null
  if (lazy === null || editing === null || (editing.id !== null && connection === null)) return null
  const saved = (id: string) => {
    onEditing(null)
    if (editing.id === null) onSaved(id)
  }
  return (
    <lazy.ConnectionDialog
      key={editing.id}
      connection={connection}
      keychain={app.keychain}
      onDone={() => onEditing(null)}
      onSaved={saved}
    />
  )
}
