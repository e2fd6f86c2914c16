import type { Asset, Difference, MatchKey } from '../../../../src-shared/model/comparison.ts'
import { fold } from '../../engine/filter/fold.ts'

/** Two assets that are the same device, by the strongest key that both have. */
export interface Match {
  by: MatchKey
  first: Asset
  second: Asset
}

export interface Matched {
  matches: Match[]
  ambiguous: Difference[]
  /** On one side only. */
  missing: Asset[]
  unexpected: Asset[]
}

/** Assets that are looked at in one part: some ms of the thread. */
const atOnce = 4000

/** Returns the form of a MAC address in which any two writings are equal; '' for what is none. */
export function macOf(text: string): string {
  const digits = text.replaceAll(/[^0-9a-f]/giu, '').toLowerCase()
  return digits.length === 12 && text.replaceAll(/[0-9a-f:.\s-]/giu, '') === '' ? digits : ''
}

const plain = (text: string): string => fold(text).replaceAll(/\s+/gu, ' ').trim()
const serialOf = (text: string): string => fold(text).replaceAll(/[\s._-]+/gu, '')
const joined = (...parts: string[]): string => (parts.includes('') ? '' : parts.join('\n'))

/** What two assets must have in common for each key; '' for an asset without it. */
const valueOf: Readonly<Record<MatchKey, (asset: Asset) => string>> = {
  key: ({ key }) => key ?? '',
  id: ({ id }) => plain(id),
  serial: ({ serial }) => serialOf(serial),
  mac: ({ mac }) => macOf(mac),
  'name-and-room': ({ name, site, room }) => joined(plain(name), plain(site), plain(room)),
  'name-and-site': ({ name, site }) => joined(plain(name), plain(site)),
  name: ({ name }) => plain(name),
}

/** The keys that name one device; a name may be that of several. */
const identifying: readonly MatchKey[] = ['id', 'serial', 'mac']
const namings: readonly MatchKey[] = ['name-and-room', 'name-and-site', 'name']

/**
 * Matches two sides, the strongest key first, part by part. Where several of a side have the same value, all of them are ambiguous, and so are
 * two that have only a name in common and differ in a key that identifies.
 */
export function* matchAssets(
  first: readonly Asset[],
  second: readonly Asset[],
  keys: readonly MatchKey[],
): Generator<undefined, Matched> {
  const matches: Match[] = []
  const ambiguous: Difference[] = []
  let [left, right] = [first, second]
  for (const by of keys) {
    const [ofLeft, ofRight] = [yield* grouped(left, valueOf[by]), yield* grouped(right, valueOf[by])]
    const done = new Set<Asset>()
    let looked = 0
    for (const [value, ones] of ofLeft) {
      looked += ones.length
      if (looked >= atOnce) {
        looked = 0
        yield undefined
      }
      const others = ofRight.get(value)
      if (others === undefined) continue
      const [one, other] = [ones[0], others[0]]
      if (one === undefined || other === undefined) continue
      const conflict = ones.length === 1 && others.length === 1 ? conflictOf(one, other, by) : null
      for (const each of [...ones, ...others]) done.add(each)
      if (ones.length === 1 && others.length === 1 && conflict === null) matches.push({ by, first: one, second: other })
      else for (const each of ambiguousOf(ones, others, by, conflict)) ambiguous.push(each)
    }
    left = left.filter((asset) => !done.has(asset))
    right = right.filter((asset) => !done.has(asset))
  }
  return { matches, ambiguous, missing: [...left], unexpected: [...right] }
}

/** The keys by which sides of different kinds are matched: ids of the fleet's devices are the service's, names come last. */
export const matchingKeys: readonly MatchKey[] = [...identifying, ...namings]

function* grouped(
  assets: readonly Asset[],
  valueIn: (asset: Asset) => string,
): Generator<undefined, Map<string, Asset[]>> {
  const groups = new Map<string, Asset[]>()
  for (const [index, asset] of assets.entries()) {
    if (index % atOnce === atOnce - 1) yield undefined
    const value = valueIn(asset)
    if (value === '') continue
    const group = groups.get(value)
    if (group === undefined) groups.set(value, [asset])
    else group.push(asset)
  }
  return groups
}

/** Returns the identifying key that both have and in which they differ, where only a name matches; null: none. */
function conflictOf(one: Asset, other: Asset, by: MatchKey): MatchKey | null {
  if (!namings.includes(by)) return null
  const differs = (key: MatchKey) => {
    const [a, b] = [valueOf[key](one), valueOf[key](other)]
    return a !== '' && b !== '' && a !== b
  }
  // The id of a list that is not the service's says nothing.
  return identifying.find((key) => key !== 'id' && differs(key)) ?? null
}

function ambiguousOf(
  ones: readonly Asset[],
  others: readonly Asset[],
  by: MatchKey,
  conflict: MatchKey | null,
): Difference[] {
  const candidates = { first: ones.length, second: others.length, conflict }
  const row = (first: Asset | null, second: Asset | null): Difference => ({
    kinds: ['ambiguous'],
    by,
    first,
    second,
    candidates,
  })
  if (conflict !== null) return [row(ones[0] ?? null, others[0] ?? null)]
  return [...ones.map((one) => row(one, null)), ...others.map((other) => row(null, other))]
}

/** Which parts of a place are compared: not those that differ because the sides do. */
export interface ComparedParts {
  tenant: boolean
  site: boolean
}

/** Returns how two assets of one device differ in what both of them say. */
export function differenceOf({ by, first, second }: Match, parts: ComparedParts): Difference {
  const differs = (field: 'name' | 'site' | 'room' | 'tenant' | 'model' | 'firmware') => {
    const [a, b] = [plain(first[field]), plain(second[field])]
    return a !== '' && b !== '' && a !== b
  }
  const isMoved =
    (parts.site && differs('site')) ||
    (parts.tenant && differs('tenant')) ||
    differs('room') ||
    isElsewhere(first, second)
  const kinds: Difference['kinds'] = [
    ...(isMoved ? (['moved'] as const) : []),
    ...(differs('name') ? (['renamed'] as const) : []),
    ...(differs('model') ? (['model'] as const) : []),
    ...(differs('firmware') ? (['firmware'] as const) : []),
  ]
  return { kinds: kinds.length === 0 ? ['same'] : kinds, by, first, second, candidates: null }
}

/** Returns whether the cell of a list that has site and room in one names another place: each part of it must be one of the device's. */
function isElsewhere({ place }: Asset, second: Asset): boolean {
  if (place.trim() === '') return false
  const its = [second.site, second.room, second.tenant].map(plain).filter((part) => part !== '')
  const whole = plain(place)
  if (its.includes(whole)) return false
  const parts = whole
    .split(/\s[-–]\s|[/\\›>|·,;]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return !parts.every((part) => its.includes(part))
}
