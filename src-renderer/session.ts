import type { Clock } from '../src-shared/clock.ts'
import type { CallOutput, Pipe } from '../src-shared/contract.ts'
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
  stop(): void
}

/** Holds `app.state` true by events and patches, and asks for it anew whenever the thread is lost (invariant 2). */
export function startSession(pipe: Pipe, clock: Clock): Session {
  const state = createStore<SessionState>({ reach: { state: 'first' }, app: null })
  const listeners = new Set<(change: Patch | null) => void>()
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

  const offs = [
    pipe.on('patch', onPatch),
    pipe.on('connections', (connections) => update({ connections })),
    pipe.on('gauges', (gauges) => update({ gauges })),
    pipe.on('notices', (notices) => update({ notices })),
    pipe.onReach(onReach),
  ]
  void load()
  return {
    pipe,
    state,
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
