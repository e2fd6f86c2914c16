import type { Clock } from '../src-shared/clock.ts'
import type { Answer, CallOutput, EventName, Pipe } from '../src-shared/contract.ts'
import type { Settings, Told } from '../src-shared/model.ts'
import { follows, type Patch } from '../src-shared/patch.ts'
import { createStore, type Store } from './store.ts'

export type AppState = CallOutput<'app.state'>

/** `first`: never reached yet. `lost`: was reached, is not now, since `at` (milliseconds since the epoch). */
export type Reach = { state: 'first' } | { state: 'reached' } | { state: 'lost'; at: number }

export interface SessionState {
  reach: Reach
  /** Null until the core answered for the first time; kept when it goes. */
  app: AppState | null
}

/** What the window knows of the core as a whole, and the word that something changed. */
export interface Session {
  pipe: Pipe
  state: Store<SessionState>
  /** Hears each patch that follows; null when everything must be asked for anew. Returns the way to stop. */
  onChange(listener: (change: Patch | null) => void): () => void
  /** Changes the settings that are named: at once in the window, and back again when the core refuses. */
  change(part: Partial<Settings>): Promise<Answer<unknown>>
  /** Brings this into sight: a line of what was told was chosen here, or, by the event `open`, elsewhere. */
  open(what: Told['open']): void
  /** Hears what is to be brought into sight. Returns the way to stop. */
  onOpen(listener: (what: Told['open']) => void): () => void
  stop(): void
}

/** Parts of `app.state` that come anew, whole, as events of their own name. */
const parts = ['connections', 'gauges', 'notices', 'settings', 'columns', 'views', 'tellings'] as const satisfies readonly (EventName & keyof AppState)[]

/** Holds `app.state` true by events and patches, and asks for it anew whenever the thread is lost (invariant 2). */
export function startSession(pipe: Pipe, clock: Clock): Session {
  const state = createStore<SessionState>({ reach: { state: 'first' }, app: null })
  const changes = createListeners<Patch | null>()
  const opens = createListeners<Told['open']>()
  let loads = 0

  const update = (part: Partial<AppState>) => {
    const { app, reach } = state.get()
    if (app !== null) state.set({ reach, app: { ...app, ...part } })
  }

  async function load() {
    loads += 1
    const mine = loads
    const answer = await pipe.call('app.state', {})
    if (mine !== loads || !answer.ok) return
    state.set({ reach: { state: 'reached' }, app: answer.value })
    changes.tell(null)
  }

  function onReach(reached: boolean) {
    if (reached) return void load()
    loads += 1
    const { app, reach } = state.get()
    if (reach.state !== 'lost') state.set({ app, reach: { state: 'lost', at: clock.now() } })
  }

  function onPatch(change: Patch) {
    const { app } = state.get()
    // A patch at or before what `app.state` answered is already in that answer.
    if (app === null || change.rev === app.rev) return
    if (!follows(app.rev, change)) return void load()
    update({ rev: change.rev, totals: change.totals })
    changes.tell(change)
  }

  async function change(part: Partial<Settings>) {
    const before = state.get().app?.settings
    if (before !== undefined) update({ settings: { ...before, ...part } })
    const answer = await pipe.call('settings.change', part)
    const now = state.get().app?.settings
    if (!answer.ok && before !== undefined && now !== undefined) update({ settings: { ...now, ...kept(before, part) } })
    return answer
  }

  const offs = [
    pipe.on('patch', onPatch),
    ...parts.map((part) => pipe.on(part, (data) => update({ [part]: data }))),
    pipe.on('open', opens.tell),
    pipe.onReach(onReach),
  ]
  void load()
  return {
    pipe,
    state,
    change,
    open: opens.tell,
    onOpen: opens.on,
    onChange: changes.on,
    stop() {
      loads += 1
      for (const off of offs) off()
    },
  }
}

function createListeners<T>() {
  const listeners = new Set<(word: T) => void>()
  return {
    tell: (word: T) => listeners.forEach((listener) => listener(word)),
    on(listener: (word: T) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** What the settings that `part` names were before. */
function kept(before: Settings, part: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in part))
}
