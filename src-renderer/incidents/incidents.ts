import type { Clock } from '../../src-shared/lib/clock.ts'
import type { CallOutput, EventData } from '../../src-shared/contract/contract.ts'
import type { Incident } from '../../src-shared/model/incidents.ts'
import type { Screen } from '../../src-shared/navigation/screens.ts'
import { createPaged, indexOf, rowAt, type Paged } from '../lib/list/paged.ts'
import { shellOf, type Session } from '../lib/session.ts'
import { createStore, type Store } from '../lib/store.ts'
import { linkText } from '../lib/link-text.ts'
import { saveFile } from '../lib/save-file.ts'
import { createActions, type Actions } from './actions/actions.ts'
import { createCursor, type CursorSource } from './list/cursor.ts'
import { createDetail, type DetailSource, type DetailState } from './detail/detail-source.ts'
import { createSelection, maxIds, type SelectionSource } from './list/selection.ts'
import { createReturnPath, type ReturnPath } from './return-path.ts'
import { createTeam, type TeamSource } from './team/team-source.ts'
import { listOf } from './format.ts'
import type { ListView } from './list/list-view.ts'

export type ListCounts = CallOutput<'incidents.list'>['counts']

/** An incident of an action, as it was when its dialog was opened. */
export type Subject = Pick<
  Incident,
  | 'id'
  | 'message'
  | 'places'
  | 'shape'
  | 'since'
  | 'foundAt'
  | 'openedAt'
  | 'closedAt'
  | 'closedNotBefore'
  | 'acknowledged'
  | 'snoozed'
  | 'assigned'
>

/** What is done to incidents without a dialog. `take`: this operator takes care of them. */
export type DirectAct = { do: 'take' | 'give back' | 'unacknowledge' } | { do: 'snooze'; until: number | null }

export type AskedFor =
  | { what: 'none' }
  | { what: 'acknowledge' | 'snooze' | 'assign'; subjects: readonly Subject[] }
  /** Another member of the team takes care of one of them. */
  | { what: 'question'; act: DirectAct; subjects: readonly Subject[] }
  | { what: 'handover' }
  /** A handover of the team is read. */
  | { what: 'handed over'; id: string }

type Seek = EventData<'open'>['seek']

/** The maximum number of rows in one answer (contract: incidents.list). */
const maxListed = 200

/** The state of the incidents screen, which follows the session's changes. */
export interface Incidents {
  view: Store<ListView>
  /** The length of each list, regardless of the search; null before the first answer. */
  counts: Store<ListCounts | null>
  rows: Paged<Incident>
  cursor: CursorSource
  selection: SelectionSource
  detail: DetailSource
  actions: Actions
  team: TeamSource
  /** The open dialog. */
  asked: Store<AskedFor>
  /**
   * The pane of an incident that was opened from elsewhere, or its explanation, takes the focus as soon as possible and
   * then sets this to null.
   */
  focusRequest: Store<'pane' | 'why' | null>
  /** Changes the list or the search. */
  ask(part: Partial<ListView>): void
  /** Opens an incident from elsewhere: its detail in the list that contains it, and then what `seek` asks for. */
  show(id: string, seek?: Seek): void
  /** Sets the screen from which an incident was opened, when it was not this one. */
  setReturnScreen(screen: Screen): void
  /**
   * Closes the detail and restores the list and the row from before. Returns the screen to go back to; null for this
   * one.
   */
  leave(): Screen | null
  /** Drops the way back, because the operator went elsewhere. */
  clearReturnPath(): void
  /**
   * Returns the incidents of an action: the selected ones, or else the one that the detail shows, or else the present
   * one; with `opened` the open one. Closed incidents are left out.
   */
  about(opened: boolean): readonly Incident[]
  stop(): void
}

export function startIncidents(session: Session, clock: Clock): Incidents {
  const { pipe } = session
  const asked = createStore<AskedFor>({ what: 'none' })
  const focusRequest = createStore<'pane' | 'why' | null>(null)
  const detail = createDetail(pipe, clock)
  const path = createReturnPath()
  const listed = startList(session, clock, {
    opened: () => idIn(detail.state.get()),
    onMove(id) {
      path.forget()
      if (detail.state.get().state !== 'closed') detail.open(id)
    },
  })
  const { rows, cursor, chosen, known, ask, view } = listed
  const actions = incidentActions(session, clock, cursor)
  const team = createTeam(session)

  function show(id: string, seek?: Seek) {
    const before = detail.state.get()
    path.setOrigin({ view: view.get(), cursor: cursor.id(), opened: before.state === 'closed' ? null : before.id })
    detail.open(id)
    focusRequest.set('pane')
    const off = detail.state.subscribe(place)
    function place() {
      const at = detail.state.get()
      if (at.state === 'loading' && at.id === id) return
      off()
      if (at.state !== 'shown' || at.id !== id) return
      ask({ state: listOf(at.shown.incident), text: '' })
      cursor.select(id)
      if (seek === 'why') focusRequest.set('why')
      const subjects = about(true)
      if (seek === 'acknowledge' && subjects.length > 0) asked.set({ what: 'acknowledge', subjects })
    }
    place()
  }

  function about(opened: boolean) {
    const at = detail.state.get()
    const inDetail = at.state === 'shown' ? at.shown.incident : at.state === 'loading' ? known.get(at.id) : undefined
    const isDetail = opened || (at.state !== 'closed' && listed.selection.state.get().size === 0)
    const subjects = isDetail ? (inDetail === undefined ? [] : [inDetail]) : chosen()
    return subjects.filter(({ closedAt }) => closedAt === null)
  }

  function changed() {
    rows.refresh()
    detail.changed()
  }

  const offs = follow(session, { detail, cursor, show, changed })
  return {
    ...listed,
    detail,
    actions,
    team,
    asked,
    focusRequest,
    show,
    about,
    ...leaving(path, listed, detail),
    stop() {
      for (const off of offs) off()
      team.stop()
      detail.stop()
      listed.stop()
    },
  }
}

function incidentActions(session: Session, clock: Clock, cursor: Incidents['cursor']): Actions {
  const { pipe } = session
  return createActions({
    pipe,
    onUndone: ([id]) => id !== undefined && cursor.expect(id),
    now: clock.now,
    times: () => session.state.get().app?.settings.times ?? 'local',
    write: (text) =>
      navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      ),
    linkText: (id) => linkText({ to: 'incident', id }, shellOf(session)) ?? id,
    save: (name, type, text) => saveFile(pipe, shellOf(session), name, type, [text]),
  })
}

/** Follows changes and open requests. Returns the functions that stop it. */
function follow(
  session: Session,
  { detail, cursor, show, changed }: Pick<Incidents, 'detail' | 'cursor' | 'show'> & { changed: () => void },
): (() => void)[] {
  let summary = session.state.get().app?.incidents
  const onState = () => {
    const next = session.state.get().app?.incidents
    if (next === undefined || next === summary) return
    summary = next
    changed()
  }
  const opened = ({ incident, seek }: EventData<'open'>) => void (typeof incident === 'string' && show(incident, seek))
  return [
    detail.state.subscribe(cursor.shown),
    session.state.subscribe(onState),
    session.onChange((change) => {
      if (change === null) changed()
      // A device of the incident may have another name or place.
      else if (change.structure) detail.changed()
    }),
    session.onOpen(opened),
  ]
}

/** Creates the functions that leave an incident that was opened from elsewhere. */
function leaving(
  path: ReturnPath,
  { ask, cursor }: Pick<Incidents, 'ask' | 'cursor'>,
  detail: DetailSource,
): Pick<Incidents, 'leave' | 'setReturnScreen' | 'clearReturnPath' | 'ask'> {
  return {
    setReturnScreen: path.setScreen,
    clearReturnPath: path.forget,
    ask(part) {
      path.forget()
      ask(part)
    },
    leave() {
      detail.close()
      const from = path.take()
      if (from === null) return null
      ask(from.view)
      if (from.cursor !== null) cursor.select(from.cursor)
      if (from.opened !== null) detail.open(from.opened)
      return from.screen
    },
  }
}

const idIn = (detail: DetailState): string | null => (detail.state === 'closed' ? null : detail.id)

/** Creates the list, its cursor and its selection. */
function startList({ pipe }: Session, clock: Clock, detail: Parameters<typeof createCursor>[1]) {
  const view = createStore<ListView>({ state: 'open', text: '' })
  const counts = createStore<ListCounts | null>(null)
  const rows = createPaged<Incident>({ load, clock })
  const cursor = createCursor(rows, detail)
  const selection = createSelection({ rows, cursor: cursor.state.get, load: idsBetween })
  const known = createKnown(rows, selection.state.get)

  async function load(offset: number, limit: number) {
    const request = view.get()
    const answer = await pipe.call('incidents.list', { ...request, offset, limit })
    if (answer.ok && request === view.get()) counts.set(answer.value.counts)
    return answer
  }

  async function idsBetween(from: number, to: number) {
    const starts = Array.from({ length: Math.ceil((to - from + 1) / maxListed) }, (_, part) => from + part * maxListed)
    const answers = await Promise.all(
      starts.map((offset) =>
        pipe.call('incidents.list', { ...view.get(), offset, limit: Math.min(maxListed, to - offset + 1) }),
      ),
    )
    const found = answers.flatMap((answer) => (answer.ok ? answer.value.rows : []))
    known.add(found)
    return answers.every((answer) => answer.ok) ? found.map(({ id }) => id) : null
  }

  return {
    view,
    counts,
    rows,
    cursor,
    selection,
    known,
    ask(part: Partial<ListView>) {
      const before = view.get()
      const next = { ...before, ...part }
      if (next.state === before.state && next.text === before.text) return
      view.set(next)
      selection.clear()
      cursor.forget()
      rows.reset(true)
    },
    chosen(): readonly Incident[] {
      const ids = selection.state.get()
      if (ids.size > 0) return [...ids].map(known.get).filter((row) => row !== undefined)
      const present = rowAt(rows.state.get(), cursor.state.get().index)
      return present === undefined ? [] : [present]
    },
    stop() {
      known.stop()
      selection.stop()
      cursor.stop()
      rows.stop()
    },
  }
}

/** Keeps recently seen rows by their ids, because a selection may reach beyond the loaded pages. */
function createKnown(rows: Paged<Incident>, selected: () => ReadonlySet<string>) {
  const seen = new Map<string, Incident>()
  const add = (found: readonly Incident[]) => {
    for (const row of found) seen.set(row.id, row)
    if (seen.size > 3 * maxIds) for (const id of seen.keys()) if (!selected().has(id)) seen.delete(id)
  }
  const off = rows.state.subscribe(() => rows.state.get().pages.forEach((page) => add(page.rows)))
  return {
    add,
    get: (id: string) => {
      const index = indexOf(rows.state.get(), (row) => row.id === id)
      return index === -1 ? seen.get(id) : rowAt(rows.state.get(), index)
    },
    stop: off,
  }
}
