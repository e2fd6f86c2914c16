import './no-eval.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/shell.css'
import './styles/inventory/layout.css'
import './styles/inventory/table.css'
import './styles/inventory/tree.css'
import './styles/inventory/detail.css'
import './styles/status.css'
import './styles/connections.css'
import './styles/settings.css'
import './styles/diagnostics.css'
import './styles/incidents.css'
import './styles/policies.css'
import './styles/actions.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { systemClock } from '../src-shared/lib/clock.ts'
import { createDeviceActions } from './actions/device-actions.ts'
import { App } from './app/app.tsx'
import { Broken, Entrance } from './app/entrance.tsx'
import { followRestarts } from './app/screens/follow-restarts.ts'
import { startIncidents } from './incidents/incidents.ts'
import { startInventory } from './inventory/inventory.ts'
import { openStoredView } from './inventory/stored-view.ts'
import { openWebPipe, pipeUrl, type PipeState } from './lib/pipe/web-pipe.ts'
import { openBridgePipe } from './lib/pipe/bridge-pipe.ts'
import { createPolicyEditor } from './policies/policy-editor.ts'
import { followAddress } from './lib/link-text.ts'
import { startSession } from './lib/session.ts'
import { answerTabs, askTabs, tabs } from './lib/pipe/tabs.ts'
import { openKeys, takeKey } from './lib/pipe/sign-in.ts'
import { createStore } from './lib/store.ts'
import { AppContextProvider } from './lib/context.ts'
import { browserDesktop, startNotifier } from './notifications/notifier.ts'
import { startUnread } from './notifications/unread.ts'
import { createTicker } from './lib/ticker.ts'

const { musterBridge } = window
const signInState = createStore<PipeState>('in')
const pipe = musterBridge === undefined ? openBrowserPipe() : openBridgePipe(musterBridge)
const session = startSession(pipe, systemClock)
const inventory = startInventory(session, systemClock, openStoredView(window.sessionStorage))
const incidents = startIncidents(session, systemClock)
const appContext = {
  session,
  ticker: createTicker(systemClock),
  unread: startUnread(session),
  notifier: startNotifier(session, browserDesktop()),
  policyEditor: createPolicyEditor(session),
  deviceActions: createDeviceActions(session),
  team: incidents.team,
}
followRestarts(pipe, window)
if (musterBridge === undefined) followAddress(session, window)

/** Opens the pipe of a browser window, which signs in first, also when an address with a new key is opened in it. */
function openBrowserPipe() {
  const keys = openKeys(window.sessionStorage)
  takeKey(keys, window)
  window.addEventListener('hashchange', (event) => {
    if (!takeKey(keys, window)) return
    // No other listener may read the key.
    event.stopImmediatePropagation()
    if (signInState.get() === 'out') web.signIn()
    else window.location.reload()
  })
  const vouched = () => askTabs(keys, tabs(), systemClock)
  const web = openWebPipe({
    url: pipeUrl(window.location),
    origin: window.location.origin,
    keys,
    vouched,
    clock: systemClock,
  })
  answerTabs(web, tabs())
  web.onSignInState(signInState.set)
  return web
}

const place = document.getElementById('window')
if (place === null) throw new Error('index.html has no place for the window')

/** React takes everything off the screen when a component throws; something must say so (design, invariant 5). */
function onUncaughtError(error: unknown): void {
  queueMicrotask(() => root.render(<Broken name={error instanceof Error ? error.name : 'unknown'} />))
}

const root = createRoot(place, { onUncaughtError })
root.render(
  <StrictMode>
    <AppContextProvider value={appContext}>
      <Entrance signInState={signInState}>
        <App inventory={inventory} incidents={incidents} />
      </Entrance>
    </AppContextProvider>
  </StrictMode>,
)
