import { own } from '../../../src-shared/lib/own.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Reply } from '../../api/client.ts'
import { failedPaths, readList, type FailedPaths, type ListPage, type PlaceNode } from '../../api/places/answers.ts'
import { partName, requested, type PlacesPart } from '../../api/places/documents.ts'
import { levelsOf, type PlaceKind, type PlaceList, type PlaceSource } from '../../api/places/lists.ts'
import { partFault } from '../tenants/pages.ts'

/** Largest number of places of a tenant that are read. */
export const maxPlaces = 200_000
/**
 * Places come and go while pages are read: beyond this share of a list's total and this many pages more, or this many
 * consecutive pages without a new place, paging counts as endless.
 */
const slackShare = 1.5
const slackPages = 10
/** Requested places of a list that stands within a page of another one. */
const innerSize = 10
/** Parts of one operation at most. */
const maxParts = 25

/** A page to read: `only` are the ids of the places above the list whose page it is, the outermost first. */
interface WalkStep {
  id: string
  tokens: readonly (string | null)[]
  only: readonly string[]
  /** The number of places that are left in that list; null: unknown. */
  left: number | null
}

/** Receives each place once for each page that lists it. `above`: id of the place whose list it is in; null: none. */
export type OnPlace = (kind: PlaceKind, place: PlaceNode, above: string | null) => void

interface Progress {
  /** Number of places that the list had on its pages so far. */
  read: number
  tokens: Set<string>
  /** Consecutive pages without a new place. */
  idle: number
}

/** The pages of a source that are still to be read, and those that were. */
export interface PlaceWalk {
  /** Returns the parts of the next operation, of at most `places` requested places; none at the end. */
  next(places: number, pageLimit: number): PlacesPart[]
  /**
   * Takes the answer to the parts of the latest `next`. Throws a `FaultError`: `paging` for pages without end; where it
   * has none of the lists, the fault that its errors report, or `no-data`; then `next` returns the same parts again.
   */
  take(reply: Reply): void
  /** Leaves the parts of the latest `next` unread. */
  skip(): void
  /** Returns whether every list was read to its end, and each place in it. */
  isWhole(): boolean
  /** Returns whether a list of this kind could not be read to its end. */
  failed(kind: PlaceKind): boolean
  /** Returns whether any list was read. */
  hasRead(): boolean
}

interface State {
  source: PlaceSource
  levels: readonly PlaceList[]
  steps: WalkStep[]
  sent: { step: WalkStep; part: PlacesPart }[]
  lists: Map<string, Progress>
  failed: Set<PlaceKind>
  seen: Set<string>
  onPlace: OnPlace
}

/** Walks through the lists under these tenants or sites. */
export function createPlaceWalk(source: PlaceSource, ids: readonly string[], onPlace: OnPlace): PlaceWalk {
  const levels = levelsOf(source.list)
  const none = levels.map(() => null)
  const state: State = {
    source,
    levels,
    steps: ids.map((id) => ({ id, tokens: none, only: [], left: null })),
    sent: [],
    lists: new Map(),
    failed: new Set(),
    seen: new Set(),
    onPlace,
  }
  return {
    next(places, pageLimit) {
      state.sent = nextParts(state, places, pageLimit)
      return state.sent.map(({ part }) => part)
    },
    take: (reply) => take(state, reply),
    skip() {
      state.steps = state.steps.slice(state.sent.length)
      state.failed.add(source.list.kind)
    },
    isWhole: () => state.failed.size === 0 && state.steps.length === 0,
    failed: (kind) => state.failed.has(kind),
    hasRead: () => state.lists.size > 0,
  }
}

/** A source of one list under each of many sites is read for several of them at once; the steps stay until `take`. */
function nextParts({ steps, levels, source }: State, places: number, pageLimit: number): State['sent'] {
  const chosen: State['sent'] = []
  let sum = 0
  for (const step of steps.slice(0, source.parent === 'site' ? maxParts : 1)) {
    const sizes = sizesOf(levels, step, places, pageLimit, source.parent === 'site')
    sum += requested(levels, sizes) + 1
    if (chosen.length > 0 && sum > places) break
    chosen.push({ step, part: { id: step.id, tokens: step.tokens, sizes } })
  }
  return chosen
}

/** Returns the page size of each level: that of the outermost one with pages is as large as `places` allows. */
function sizesOf(
  levels: readonly PlaceList[],
  { left }: WalkStep,
  places: number,
  pageLimit: number,
  isOfMany: boolean,
): number[] {
  const sized = levels.map(({ params }) => params?.size != null)
  const inner = Math.max(1, Math.floor(Math.min(innerSize, pageLimit, places)))
  const outer = sized.indexOf(true)
  const below = sized.slice(outer + 1).filter(Boolean).length
  const wanted = isOfMany ? (left ?? inner) : places / inner ** below
  return sized.map((_, at) => (at === outer ? Math.max(1, Math.floor(Math.min(wanted, pageLimit, places))) : inner))
}

function take(state: State, reply: Reply): void {
  const failed = failedPaths(reply.errors)
  const data: Record<string, unknown> = typeof reply.data === 'object' && reply.data !== null ? { ...reply.data } : {}
  const { parent, list } = state.source
  const { sent } = state
  const found = sent.map(({ step, part }, index) => {
    const name = partName(index)
    const answer = own(data, name)
    const value = parent === null ? answer : memberOf(answer, list.field)
    const path = parent === null ? [name] : [name, list.field]
    return { step, part, page: readList(list, value, path, failed) }
  })
  if (found.every(({ page }) => page === null))
    throw reply.errors.length > 0 ? partFault(reply.errors) : new FaultError('no-data', 'no list of places')
  state.steps = state.steps.slice(sent.length)
  for (const { step, part, page } of found) {
    if (page === null) state.failed.add(list.kind)
    else visit(state, { step, part, level: 0, above: [], failed }, page)
  }
  // The token of one list is an error for the others in the same answer.
  const isFirst = sent.every(({ step }) => step.only.length === 0)
  if (isFirst && reply.errors.some(({ path }) => path === null))
    for (const { kind } of state.levels) state.failed.add(kind)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? own({ ...value }, name) : null
}

interface Visit {
  step: WalkStep
  part: PlacesPart
  level: number
  /** Ids of the places above, the outermost first. */
  above: readonly string[]
  failed: FailedPaths
}

function visit(state: State, at: Visit, page: ListPage): void {
  const { step, level, above } = at
  const list = state.levels[level]
  if (list === undefined) return
  const isNew = level >= step.only.length
  if (isNew) record(state, at, list, page)
  const places = isNew ? page.places : page.places.filter(({ id }) => id === step.only[level])
  // The place whose list goes on is no longer on this page.
  if (!isNew && places.length === 0) state.failed.add(state.levels[step.only.length]?.kind ?? list.kind)
  for (const place of places) {
    if (isNew) state.onPlace(list.kind, place, above.at(-1) ?? (state.source.parent === 'site' ? step.id : null))
    if (list.below === null) continue
    if (place.below === null) state.failed.add(list.below.kind)
    else visit(state, { ...at, level: level + 1, above: [...above, place.id] }, place.below)
  }
}

/** Records a page of a list, and what is left of that. Throws where paging does not end. */
function record(state: State, { step, part, level, above }: Visit, list: PlaceList, page: ListPage): void {
  const key = JSON.stringify([step.id, ...above])
  const progress = state.lists.get(key) ?? { read: 0, tokens: new Set<string>(), idle: 0 }
  state.lists.set(key, progress)
  const before = state.seen.size
  for (const { id } of page.places) state.seen.add(JSON.stringify([key, id]))
  progress.idle = state.seen.size === before ? progress.idle + 1 : 0
  progress.read += page.places.length + page.unread
  if (state.seen.size > maxPlaces) throw new FaultError('paging', `more than ${maxPlaces} places`)
  const size = list.params?.size == null ? null : (part.sizes[level] ?? null)
  const isUntold = list.form === 'connection' && list.pageInfo.length === 0 && size !== null && page.total === null
  const isShort = page.next === null && page.total !== null && progress.read < page.total
  const isFull = isUntold && page.places.length + page.unread >= size
  if (page.unread > 0 || page.isCut || isShort || isFull) state.failed.add(list.kind)
  if (page.next === null) return
  checkEnd(progress, page, size)
  state.steps.push({
    id: step.id,
    tokens: state.levels.map((_, at) => (at < level ? (step.tokens[at] ?? null) : at === level ? page.next : null)),
    only: above,
    left: page.total === null ? null : Math.max(1, page.total - progress.read),
  })
}

/** Throws where the next page would be one too many. */
function checkEnd(progress: Progress, { next, total, places }: ListPage, size: number | null): void {
  if (next !== null && progress.tokens.has(next)) throw new FaultError('paging', 'the same token came twice')
  if (progress.idle >= slackPages)
    throw new FaultError('paging', `${progress.idle} pages in a row without a place that had not come before`)
  const limit = (total ?? Infinity) * slackShare + slackPages * Math.max(size ?? 1, places.length)
  if (progress.read > limit) throw new FaultError('paging', `more than ${Math.floor(limit)} places`)
  if (next !== null) progress.tokens.add(next)
}
