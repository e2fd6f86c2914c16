import type { DeviceStatus, Told } from '../../src-shared/model.ts'
import type { PlaceNode } from '../data/protocol.ts'
import type { Blind, Drop, Open, Rules, State, Step, Tell, Telling } from './state.ts'
import { mostRecent, outageMs, recentOf } from './state.ts'

/** A device as it was found now; the path from its room to its region. */
export interface Found {
  name: string
  status: DeviceStatus
  path: readonly PlaceNode[]
}

/** The next state while a step makes it; the state that it is made from stays as it is. */
export interface Draft {
  readonly now: number
  readonly rules: Rules
  /** What was asked for, by key; what the service no longer lists is not in it. */
  readonly found: ReadonlyMap<string, Found>
  readonly drops: Map<string, Drop>
  readonly tellings: Map<string, Telling>
  readonly blind: Map<string, Blind>
  pause: State['pause']
  tells: Tell[]
}

export function draftOf(state: State, now: number, rules: Rules, found: Draft['found']): Draft {
  return { now, rules, found, drops: new Map(state.drops), tellings: new Map(state.tellings), blind: new Map(state.blind), pause: state.pause, tells: [] }
}

/** The state that was made, without what nothing can come of any more. */
export function finished(draft: Draft): Step {
  close(draft)
  const { drops, tellings, blind, pause, tells } = draft
  return { state: { drops, tellings, blind, pause }, tells }
}

export function newId({ tellings, now }: Draft): string {
  for (let n = 1; ; n += 1) {
    const id = `${now.toString(36)}-${n}`
    if (!tellings.has(id)) return id
  }
}

/** Puts a telling in its place and tells it. */
export function tell(draft: Draft, telling: Telling, keys: readonly string[]): void {
  draft.tellings.set(telling.told.id, telling)
  draft.tells.push({ told: telling.told, keys })
}

/** How many devices of each telling are down, as far as anyone was told: seen now or not. */
export function countDown({ drops }: Draft): Map<string, number> {
  const counted = new Map<string, number>()
  for (const { telling, backAt } of drops.values()) {
    if (telling !== null && backAt === null) counted.set(telling, (counted.get(telling) ?? 0) + 1)
  }
  return counted
}

export interface OpenTelling {
  id: string
  telling: Telling
  open: Open
}

/** Tellings that may still change, the one told last first. */
export function openTellings({ tellings }: Draft): OpenTelling[] {
  return [...tellings].flatMap(([id, telling]) => (telling.open === null ? [] : [{ id, telling, open: telling.open }]))
    .sort((a, b) => b.open.toldAt - a.open.toldAt)
}

/** Lets devices wait; they are looked at again then. */
export function wait(draft: Draft, keys: Iterable<string>, until: number): void {
  for (const key of keys) {
    const drop = draft.drops.get(key)
    if (drop !== undefined) draft.drops.set(key, { ...drop, waitUntil: until })
  }
}

/** Notes that these devices were told in this telling. */
export function assign(draft: Draft, keys: Iterable<string>, id: string): void {
  for (const key of keys) {
    const drop = draft.drops.get(key)
    if (drop !== undefined) draft.drops.set(key, { ...drop, telling: id, waitUntil: 0 })
  }
}

export function scopeOf({ path }: Pick<Open, 'path'>): string {
  return path[0] ?? 'all'
}

export const openAt = (scope: string, filter: string): Told['open'] => ({ scope, filter, device: null })

/** Tellings of which nothing is left, and those beyond the last ones that are listed. */
function close(draft: Draft): void {
  const alive = new Set([...draft.drops.values()].map(({ telling }) => telling))
  for (const { telling } of draft.blind.values()) alive.add(telling)
  for (const [id, telling] of draft.tellings) {
    if (telling.open === null || alive.has(id)) continue
    if (telling.open.shape === 'sighted' && telling.open.toldAt > draft.now - outageMs) continue
    draft.tellings.set(id, { ...telling, open: null })
  }
  if (draft.tellings.size <= mostRecent) return
  const listed = new Set(recentOf(draft).map(({ id }) => id))
  for (const [id, { open }] of draft.tellings) if (open === null && !listed.has(id)) draft.tellings.delete(id)
}
