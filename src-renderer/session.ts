import type { Clock } from '../src-shared/clock.ts'
import type { Answer, CallOutput, Pipe } from '../src-shared/contract.ts'
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

/** Holds `app.state` true by events and patches, and asks for it anew whenever the thread is lost (invariant 2). */
export function startSession(pipe: Pipe, clock: Clock): Session {
  const state = createStore<SessionState>({ reach: { state: 'first' }, app: null })
  const listeners = new Set<(change: Patch | null) => void>()
  const openers = new Set<(what: Told['open']) => void>()
  let loads = 0

  const tell = (change: Patch | null) => listeners.forEach((listener) => listener(change))
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
    tell(null)
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
    tell(change)
  }

  async function change(part: Partial<Settings>) {
    const before = state.get().app?.settings
    if (before !== undefined) update({ settings: { ...before, ...part } })
    const answer = await pipe.call('settings.change', part)
    const now = state.get().app?.settings
    if (!answer.ok && before !== undefined && now !== undefined) update({ settings: { ...now, ...kept(before, part) } })
    return answer
  }

  const open = (what: Told['open']) => openers.forEach((opener) => opener(what))

  const offs = [
    pipe.on('patch', onPatch),
    pipe.on('connections', (connections) => update({ connections })),
    pipe.on('gauges', (gauges) => update({ gauges })),
    pipe.on('notices', (notices) => update({ notices })),
    pipe.on('settings', (settings) => update({ settings })),
    pipe.on('columns', (columns) => update({ columns })),
    pipe.on('views', (views) => update({ views })),
    pipe.on('tellings', (tellings) => update({ tellings })),
    pipe.on('open', open),
    pipe.onReach(onReach),
  ]
  void load()
  return {
    pipe,
    state,
    change,
    open,
    onOpen(listener) {
      openers.add(listener)
      return () => openers.delete(listener)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop() {
      loads += 1
      for (const off of offs) off()
    },
  }
}

/** What the settings that `part` names were before. */
function kept(before: Settings, part: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in part))
}
