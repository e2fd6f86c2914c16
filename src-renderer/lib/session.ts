import type { Clock } from '../../src-shared/lib/clock.ts'
import { createListeners } from '../../src-shared/lib/listeners.ts'
import type { Answer, CallOutput, EventData, EventName, Pipe } from '../../src-shared/contract/contract.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import { follows, type Patch } from '../../src-shared/contract/patch.ts'
import { createStore, type Store } from './store.ts'

export type AppState = CallOutput<'app.state'>

/** `first`: not reached yet. `lost`: reached before, and unreachable since `at` (ms since the epoch). */
export type Reach = { state: 'first' } | { state: 'reached' } | { state: 'lost'; at: number }

export interface SessionState {
  reach: Reach
  /** Null until the core's first answer; stays when the core becomes unreachable. */
  app: AppState | null
}

/** The window's copy of the core's state, with its changes. */
export interface Session {
  pipe: Pipe
  state: Store<SessionState>
  /**
   * Calls the listener with each following patch, or with null when everything must be read again. Returns a function
   * that removes it.
   */
  onChange(listener: (change: Patch | null) => void): () => void
  /**
   * Changes the given settings: at once in the window. When the core rejects them, they have the values that the core told
   * last, but for those that have been changed again meanwhile.
   */
  change(part: Partial<Settings>): Promise<Answer<unknown>>
  /** Opens something that was chosen in this window, or elsewhere by the event `open`. */
  open(what: EventData<'open'>): void
  /**
   * Calls the listener with each open request. A late listener receives the last one, which may have come before the
   * window was rendered. Returns a function that removes it.
   */
  onOpen(listener: (what: EventData<'open'>) => void): () => void
  stop(): void
}

/** Returns the shell of the window; undefined before the core's first answer. */
export const shellOf = ({ state }: Pick<Session, 'state'>) => state.get().app?.shell

/** Parts of `app.state` that arrive complete, as events of the same name. */
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
  'delays',
  'policies',
  'updates',
] as const satisfies readonly (EventName & keyof AppState)[]

/** Keeps `app.state` current by events and patches, and reads it again when a patch is missing (invariant 2). */
export function startSession(pipe: Pipe, clock: Clock): Session {
  const state = createStore<SessionState>({ reach: { state: 'first' }, app: null })
  const changes = createListeners<[change: Patch | null]>()
  const opens = createListeners<[what: EventData<'open'>]>()
  let opened: EventData<'open'> | null = null
  const { update, asked, received, answered, told } = holdState(state)

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
    const [now, last] = [state.get().app?.settings, told()]
    if (!answer.ok && now !== undefined && last !== null) update({ settings: restored(now, part, last) })
    return answer
  }

  const offs = [
    pipe.on('patch', fleet.receive),
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

/** Holds the copy of the state. A part that arrived after the query for the state is newer than the answer. */
function holdState(state: Store<SessionState>) {
  let since: Partial<AppState> = {}
  let settings: Settings | null = null
  const update = (part: Partial<AppState>) => {
    const { app, reach } = state.get()
    if (app !== null) state.set({ reach, app: { ...app, ...part } })
  }
  return {
    update,
    /** Returns the settings as the core told them last; null before the first answer. */
    told: () => settings,
    asked: () => void (since = {}),
    received(part: Partial<AppState>) {
      since = { ...since, ...part }
      settings = part.settings ?? settings
      update(part)
    },
    answered(app: AppState) {
      const current = { ...app, ...since }
      settings = current.settings
      state.set({ reach: { state: 'reached' }, app: current })
    },
  }
}

interface Following {
  ask: () => Promise<Answer<AppState>>
  /** Returns the revision that the window holds; null before the first answer. */
  rev: () => number | null
  onState: (app: AppState) => void
  onPatch: (patch: Patch) => void
}

/**
 * Follows the state and its patches. Only one query runs at a time, because constant patches would invalidate each
 * other's answers.
 */
function followFleet({ ask, rev, onState, onPatch }: Following) {
  /** Patches that came during the query; null when none runs. */
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

  /**
   * Applies the patches that came during the query and are newer than its answer. When one is missing, it reads the
   * state again.
   */
  function catchUp(from: number, patches: readonly Patch[]) {
    let current = from
    for (const patch of patches) {
      if (!follows(current, patch)) continue
      current = patch.rev
      onPatch(patch)
    }
    const last = patches.at(-1)
    if (last !== undefined && (last.rev > current || last.base < 0)) load()
  }

  return {
    load,
    /** Ignores the answer to the running query. */
    drop() {
      waiting = null
    },
    receive(patch: Patch) {
      if (waiting !== null) return void waiting.push(patch)
      const current = rev()
      // The state's answer already includes patches up to its revision.
      if (current === null || patch.rev === current) return
      if (follows(current, patch)) onPatch(patch)
      else load()
    },
  }
}

/** Returns the settings without the rejected values: `told` has them. A value that was changed since stays. */
function restored(now: Settings, rejected: Partial<Settings>, told: Settings): Settings {
  const names = (Object.keys(rejected) as (keyof Settings)[]).filter((name) => Object.is(now[name], rejected[name]))
  return { ...now, ...Object.fromEntries(names.map((name) => [name, told[name]])) }
}
