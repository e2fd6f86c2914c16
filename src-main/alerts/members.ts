import type { PlaceNode } from '../data/protocol.ts'
import { printTerm } from '../../src-shared/filter.ts'
import type { Told } from '../../src-shared/model.ts'
import { openAt, type Draft } from './draft.ts'
import type { Down } from './fold.ts'
import type { Open } from './state.ts'
import { deviceContext, mostNamed, placeWords } from './words.ts'

/** What a click opens names at most so many devices, in a filter of at most so many characters. */
const mostIds = 150
const mostLetters = 8_000

/**
 * The devices of a telling that are down now, the ones told last first; `unseen`: how many more were down when they were
 * last seen, and are not seen now (invariant 4).
 */
export function standing({ drops, found }: Draft, id: string, latest: readonly Down[] = []): { down: Down[]; unseen: number } {
  const down: Down[] = [...latest]
  const named = new Set(latest.map(({ key }) => key))
  let unseen = 0
  for (const { key, at, notBefore, telling, backAt } of drops.values()) {
    if (telling !== id || backAt !== null || named.has(key)) continue
    const device = found.get(key)
    if (device?.status === 'disconnected') down.push({ key, at, notBefore, name: device.name, path: device.path })
    else unseen += 1
  }
  return { down, unseen }
}

/** A telling in the words of the devices that are down now: nothing is left in it of those that came back. */
export function asTheyAre(open: Open, down: readonly Down[]): Open {
  const seen = down.filter(({ notBefore }) => notBefore === null).map(({ at }) => at)
  return {
    ...open, ...(open.shape === 'several' ? around(down.map(({ path }) => path)) : {}),
    named: down.slice(0, mostNamed).map(({ key, name }) => ({ key, name })),
    since: seen.length === 0 ? null : seen.reduce((least, at) => Math.min(least, at), Infinity),
  }
}

/** What holds several devices: ids of the places that all of them are in, and in words their sites by number, or the deepest of these. */
export function around(paths: readonly (readonly PlaceNode[])[]): Pick<Open, 'path' | 'where' | 'context'> {
  const [first = [], ...others] = paths
  const common = others.reduce(commonPath, first)
  const path = common.map(({ id }) => id)
  if (others.length === 0) return { path, where: '', context: deviceContext(first) }
  const sites = paths.flatMap((one) => one.filter(({ kind, placeless }) => kind === 'site' && !placeless).map(({ id }) => id))
  const many = new Set(sites).size
  if (many < 2 || sites.length < paths.length) return { path, ...placeWords(common) }
  const tenant = common.find(({ kind }) => kind === 'tenant')
  return { path, where: `in ${many} sites`, context: tenant === undefined ? '' : placeWords([tenant]).where.replace(/^in /u, '') }
}

/** Paths end alike as far up as they share places. */
function commonPath(one: readonly PlaceNode[], other: readonly PlaceNode[]): readonly PlaceNode[] {
  const shared = new Set(other.map(({ id }) => id))
  return one.filter(({ id }) => shared.has(id))
}

/** Opens exactly these devices, as long as a filter can name them; with more of them what holds them all. */
export function opensThese(scope: string, keys: readonly string[], more: string): Told['open'] {
  const [first] = keys
  if (keys.length === 1 && first !== undefined) return { scope: 'all', filter: '', device: first }
  if (keys.length === 0 || keys.length > mostIds) return openAt(scope, more)
  const filter = printTerm({ kind: 'match', not: false, field: 'id', how: 'is', values: keys.map((key) => [idOf(key)]) })
  return openAt(scope, filter.length > mostLetters ? more : filter)
}

/** The last part of a key (data/keys.ts). */
const idOf = (key: string): string => decodeURIComponent(key.slice(key.lastIndexOf('/') + 1))
