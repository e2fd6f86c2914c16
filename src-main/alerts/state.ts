import type { StoredDrop, StoredTransition } from '../journal/alerts.ts'
import type { Whereabouts } from '../data/protocol.ts'
import type { Settings, Told } from '../../src-shared/model.ts'

/**
 * What is known of tellings at a moment; a step makes the next one of it and changes nothing. All times in ms.
 */
export interface State {
  /** Devices that are down, by key: held until they are told, then known until their return was told. */
  drops: ReadonlyMap<string, Drop>
  tellings: ReadonlyMap<string, Telling>
  /** Tenants that Muster cannot see, or sees again without having said so, by key. */
  blind: ReadonlyMap<string, Blind>
  pause: { since: number; until: number } | null
}

export interface Drop extends StoredDrop {
  /** Not to be looked at before then; Infinity: not before Muster sees it again. Not kept over a restart. */
  waitUntil: number
}

export interface Blind {
  tenant: string
  name: string
  /** When it was last seen, as far as anyone knows. */
  since: number
  noticedAt: number
  /** Id of the telling that told it; null before. Only what was told is kept over a restart. */
  telling: string | null
  sightedAt: number | null
  waitUntil: number
}

export interface Telling {
  told: Told
  /** Keys of the tenants that it is about, each with a `/` at its end, and of the devices that it names. */
  about: readonly string[]
  /** What it needs to grow, and to be told the end of; null when there is nothing left to tell about it. */
  open: Open | null
}

/**
 * `node`: what is down is explained by one place. `device`: one alone. `several`: what no place explains. `blind`,
 * `sighted`: about Muster itself; the devices of the latter are those that were found down when it saw again.
 */
export type Shape = 'node' | 'device' | 'several' | 'blind' | 'sighted'

export interface Open {
  shape: Shape
  /** `absence`: found down when Muster saw again. */
  why: 'now' | 'absence'
  /** Ids of the places that hold all of it, the deepest first; none for the whole estate. */
  path: readonly string[]
  /** "Berlin", or what stands in its place in the words. */
  where: string
  /** What is above it: "Acme". */
  context: string
  /** Names of a few devices, the latest first. */
  named: readonly { key: string; name: string }[]
  /** When the first of those that are down dropped; null when nobody saw it. */
  since: number | null
  /** When the first of it was told, and when it was last told. */
  firstAt: number
  toldAt: number
  /** Most devices that were down at a time. */
  peak: number
  /** Keys of those that were told to be back, and when last. */
  backs: readonly string[]
  backToldAt: number | null
}

export const nothing: State = { drops: new Map(), tellings: new Map(), blind: new Map(), pause: null }

/** The operator's figures and wishes (design, section 8). */
export interface Rules {
  holdOffMs: number
  /** What ends its hold-off within this time of each other is told together. */
  gatherMs: number
  offline: boolean
  recovered: boolean
  blind: boolean
  utc: boolean
}

/** Drops this close together have one cause more often than not. */
const gatherMs = 15_000

export function rulesOf(settings: Settings): Rules {
  const holdOffMs = settings.holdOffSeconds * 1000
  return {
    holdOffMs, gatherMs: Math.min(gatherMs, holdOffMs), utc: settings.times === 'utc',
    offline: settings.tellOffline, recovered: settings.tellRecovered, blind: settings.tellBlind,
  }
}

export type Input =
  | { kind: 'transitions'; transitions: readonly StoredTransition[] }
  /** Nothing is told until then; null: from now on again. */
  | { kind: 'pause'; until: number | null }
  /** What was found when it was asked for these devices. Tenants that nobody watches are left out. */
  | { kind: 'look'; asked: readonly string[]; found: Whereabouts }

/** Something to tell now. `keys`: the devices whose drop or return this tells for the first time. */
export interface Tell {
  told: Told
  keys: readonly string[]
}

export interface Step {
  state: State
  tells: readonly Tell[]
}

/** A telling does not grow, or shrink, more often than this. */
export const growMs = 60_000
/** After this long without a change what comes is told by itself. */
export const outageMs = 30 * 60_000
/** As many as the window lists (model.ts, `tellings`). */
export const mostRecent = 50

/** Newest first. */
export function recentOf({ tellings }: State): Told[] {
  return [...tellings.values()].map(({ told }) => told).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, mostRecent)
}
