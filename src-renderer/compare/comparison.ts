import type { AssetList, ComparedSides, DifferenceKind } from '../../src-shared/model/comparison.ts'
import { createStore } from '../lib/store.ts'
import { type Place, wholeFleet } from '../policies/place/place.ts'

/** What the first side is. */
export const firstKinds = [
  { value: 'list', word: 'Asset list' },
  { value: 'place', word: 'Place' },
  { value: 'date', word: 'Past time' },
] as const
export type FirstKind = (typeof firstKinds)[number]['value']

/** What the screen compares and shows; it stays while another screen is shown. */
export interface ComparisonState {
  kind: FirstKind
  list: AssetList | null
  /** Null until it is chosen; of a past time it is `second`. */
  first: Place | null
  second: Place
  /** The past time, ms; null until it is chosen. */
  at: number | null
  /** The sides whose differences are shown; null before the first comparison. `run` counts up, so that the same is compared anew. */
  shown: { sides: ComparedSides; run: number } | null
  kinds: readonly DifferenceKind[]
  text: string
  page: number
}

export const comparison = createStore<ComparisonState>({
  kind: 'list',
  list: null,
  first: null,
  second: wholeFleet,
  at: null,
  shown: null,
  kinds: [],
  text: '',
  page: 0,
})

/** Returns the sides that are chosen, or what is still to be chosen. */
export function sidesOf({
  kind,
  list,
  first,
  second,
  at,
}: ComparisonState): { sides: ComparedSides } | { lacks: string } {
  const place = (of: Place) => ({ place: of.id, name: of.name.slice(0, 300) })
  const there = { kind: 'place', ...place(second) } as const
  switch (kind) {
    case 'list':
      if (list === null) return { lacks: 'Choose or paste an asset list.' }
      if (!list.heads.some(({ field }) => field !== null && identifying.has(field)))
        return { lacks: 'Choose the column with the device ID, serial, MAC or name.' }
      return { sides: { first: { kind, list: list.list }, second: there } }
    case 'place':
      if (first === null) return { lacks: 'Choose the first place.' }
      return first.id === second.id
        ? { lacks: 'Choose two different places.' }
        : { sides: { first: { kind, ...place(first) }, second: there } }
    case 'date':
      return at === null
        ? { lacks: 'Choose the past time.' }
        : { sides: { first: { kind, ...place(second), at }, second: there } }
  }
}

const identifying: ReadonlySet<string> = new Set(['id', 'serial', 'mac', 'name'])
