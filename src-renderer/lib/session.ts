import type { Clock } from '../../src-shared/lib/clock.ts'
import { createListeners } from '../../src-shared/lib/listeners.ts'
import type { Answer, CallOutput, EventData, EventName, Pipe } from '../../src-shared/contract/contract.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import { follows, type Patch } from '../../src-shared/contract/patch.ts'
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
  open(what: EventData<'open'>): void
  /** Hears what is to be brought into sight; who listens later begins with the last of it, which may have come before the window was drawn. Returns the way to stop. */
  onOpen(listener: (what: EventData<'open'>) => void): () => void
  stop(): void
}

/** Which shell the window stands in; undefined before the core said so. */
export const shellOf = ({ state }: Pick<Session, 'state'>) => state.get().app?.shell

/** Parts of `app.state` that come anew, whole, as events of their own name. */
const parts = [
  'connections',
  'gauges',
  'banners',
  'keychain',
  'proxies',
  'settings',
  'columns',
  'views',
  'notifications',
  'incidents',
  'policies',
  'updates',
] as const satisfies readonly (EventName & keyof AppState)[]

/** Holds `app.state` true by events and patches, and asks for it anew whenever the thread is lost (invariant 2). */
export function startSession(pipe: Pipe, clock: Clock): Session {
  const state = createStore<SessionState>({ reach: { state: 'first' }, app: null })
  const changes = createListeners<[change: Patch | null]>()
  const opens = createListeners<[what: EventData<'open'>]>()
  let opened: EventData<'open'> | null = null
  const { update, asked, received, answered } = holdState(state)

  function open(what: EventData<'open'>) {
    opened = what
    opens.emit(what)
  }

  const fleet = followFleet({
    ask() {
      asked()
      return pipe.call('app.state', {})
    },
    rev: () => state.get().app?.rev ?? null,
    onState(app) {
      answered(app)
      changes.emit(null)
    },
    onPatch(patch) {
      update({ rev: patch.rev, totals: patch.totals })
      changes.emit(patch)
    },
  })

  function onReach(reached: boolean) {
    if (reached) return fleet.load()
    fleet.drop()
    const { app, reach } = state.get()
    if (reach.state !== 'lost') state.set({ app, reach: { state: 'lost', at: clock.now() } })
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
    pipe.on('patch', fleet.hear),
    ...parts.map((part) => pipe.on(part, (data) => received({ [part]: data }))),
    pipe.on('open', open),
    pipe.onReach(onReach),
  ]
  fleet.load()
  return {
    pipe,
    state,
    change,
    open,
    onOpen(listener) {
      if (opened !== null) listener(opened)
      return opens.on(listener)
    },
    onChange: changes.on,
    stop() {
      fleet.drop()
      for (const off of offs) off()
    },
  }
}

/** What is known of the core. A part that came since the state was asked for is newer than the answer, which may have been made before it. */
function holdState(state: Store<SessionState>) {
  let since: Partial<AppState> = {}
  const update = (part: Partial<AppState>) => {
    const { app, reach } = state.get()
    if (app !== null) state.set({ reach, app: { ...app, ...part } })
  }
  return {
    update,
    asked: () => void (since = {}),
    received(part: Partial<AppState>) {
      since = { ...since, ...part }
      update(part)
    },
    answered: (app: AppState) => state.set({ reach: { state: 'reached' }, app: { ...app, ...since } }),
  }
}

interface Following {
  ask: () => Promise<Answer<AppState>>
  /** The revision that the window holds; null before the first answer. */
  rev: () => number | null
  onState: (app: AppState) => void
  onPatch: (patch: Patch) => void
}

/** The state and the patches that follow on it. One question at a time: steady patches would void each other's answers. */
function followFleet({ ask, rev, onState, onPatch }: Following) {
  /** Patches that came while the question was under way; null while there is none. */
  let waiting: Patch[] | null = null

  function load() {
    const mine: Patch[] = []
    waiting = mine
    void ask().then((answer) => {
      if (waiting !== mine) return
      waiting = null
      if (!answer.ok) return
      onState(answer.value)
      catchUp(answer.value.rev, mine)
    })
  }

  /** Of what came meanwhile the answer holds a part, and the rest follows on it; else it is asked once more. */
  function catchUp(from: number, patches: readonly Patch[]) {
    let held = from
    for (const patch of patches) {
      if (!follows(held, patch)) continue
      held = patch.rev
      onPatch(patch)
    }
    const last = patches.at(-1)
    if (last !== undefined && (last.rev > held || last.base < 0)) load()
  }

  return {
    load,
    /** What is under way is not waited for any more. */
    drop() {
      waiting = null
    },
    hear(patch: Patch) {
      if (waiting !== null) return void waiting.push(patch)
      const held = rev()
      // A patch at or before what the state answered is already in that answer.
      if (held === null || patch.rev === held) return
      if (follows(held, patch)) onPatch(patch)
      else load()
    },
  }
}

/** What the settings that `part` names were before. */
function kept(before: Settings, part: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in part))
}
