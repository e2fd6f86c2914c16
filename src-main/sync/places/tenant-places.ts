import { largest } from '../../../src-shared/lib/extremes.ts'
import { assertNever, FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import type { TenantPlaces } from '../../../src-shared/model/places.ts'
import type { Api } from '../../api/client.ts'
import type { Dialect } from '../../api/dialect.ts'
import { isSized, placesRequest, type PlacesPart } from '../../api/places/documents.ts'
import { levelsOf, tellsAccounts, type PlaceList, type PlaceSource, type PlaceSources } from '../../api/places/lists.ts'
import { operationLimit } from '../../pacing/cost/costs.ts'
import type { Pacer } from '../../pacing/pacer.ts'
import { partFault } from '../tenants/pages.ts'
import { smallerPage } from '../tenants/page-size.ts'
import { createPlaceWalk, type OnPlace, type PlaceWalk } from './walk.ts'

/** Target time of a page, ms; longer ones delay the requests behind them. */
const pageMs = 3_000
/** Places of an operation while no cost is known, and at most. */
const firstPlaces = 100
const mostPlaces = 1_000

export interface PlaceTools {
  api: Api
  pacer: Pick<Pacer, 'costs' | 'pagePoints'>
  dialect: Pick<Dialect, 'pageLimit'>
  lane: Lane
  signal: AbortSignal
  /** The largest page of places that the service has accepted after it rejected a larger one. */
  limit: { pageSize: number }
}

/** The places of one tenant, as far as they were read. */
export interface ReadPlaces {
  places: TenantPlaces
  /** A part could not be read: what is missing may still be there (invariant 7). */
  partial: boolean
  /** The first fault of a part; null where there is none. */
  fault: Fault | null
  /** Likely cost of all its operations, points. */
  points: number
}

interface Found {
  accounts: Map<string, { id: string; name: string }>
  sites: Map<string, TenantPlaces['sites'][number]>
  rooms: Map<string, TenantPlaces['rooms'][number]>
}

interface Reading {
  tools: PlaceTools
  found: Found
  walks: PlaceWalk[]
  faults: Fault[]
  points: number
}

/**
 * Reads the accounts, sites and rooms of a tenant from the lists that the service offers. Rejects with a `FaultError`
 * where none of them could be read, or with what concerns all tenants.
 */
export async function readTenantPlaces(tools: PlaceTools, sources: PlaceSources, tenant: string): Promise<ReadPlaces> {
  const found: Found = { accounts: new Map(), sites: new Map(), rooms: new Map() }
  const reading: Reading = { tools, found, walks: [], faults: [], points: 0 }
  for (const source of [sources.nested, sources.siteData, sources.roomData])
    if (source !== null) await readSource(reading, source, [tenant])
  if (!reading.walks.some((walk) => walk.hasRead())) throw faultError(reading.faults[0])
  if (sources.siteRooms !== null && found.sites.size > 0)
    await readSource(reading, sources.siteRooms, [...found.sites.keys()])
  const partial = reading.faults.length > 0 || reading.walks.some((walk) => !walk.isWhole())
  return {
    places: placesOf(found, tellsAccounts(sources), partial),
    partial,
    fault:
      reading.faults[0] ?? (partial ? { kind: 'partial', detail: 'a part of the list of places is missing' } : null),
    points: reading.points,
  }
}

const faultError = (fault: Fault | undefined): FaultError =>
  new FaultError(fault?.kind ?? 'no-data', fault?.detail ?? 'no list of places')

/** Reads one list to its end. A fault that concerns it alone is recorded; the others are read all the same. */
async function readSource(reading: Reading, source: PlaceSource, ids: readonly string[]): Promise<void> {
  const { limit, dialect } = reading.tools
  const walk = createPlaceWalk(source, ids, collector(reading.found))
  reading.walks.push(walk)
  /** The number of requested places, which only shrinks. */
  let places = mostPlaces
  for (;;) {
    places = Math.min(places, affordable(reading.tools, source))
    const parts = walk.next(places, Math.min(limit.pageSize, dialect.pageLimit() ?? Infinity))
    if (parts.length === 0) return
    try {
      await readParts(reading, walk, source, parts)
    } catch (error) {
      const { kind } = toFault(error)
      if (reading.tools.signal.aborted || traitsOf(kind).ofAll) throw error
      const smaller = smallerFor(error, source, parts, places)
      if (smaller?.why === 'size') limit.pageSize = smaller.size
      else if (smaller !== null) places = smaller.size
      else if (source.parent === 'site' && walk.hasRead() && ofPart.has(kind)) walk.skip()
      else return void reading.faults.push(toFault(error))
    }
  }
}

/** Faults that may concern the requested sites alone. */
const ofPart: ReadonlySet<string> = new Set(['partial', 'forbidden', 'no-data'])

type Smaller = ReturnType<typeof smallerPage>

/** Returns a smaller size as `smallerPage`: of a page where its size was rejected, otherwise of all requested places. */
function smallerFor(error: unknown, source: PlaceSource, parts: readonly PlacesPart[], places: number): Smaller {
  const levels = levelsOf(source.list)
  if (!levels.some(isSized)) return null
  const ofPage = smallerPage(error, largestSize(levels, parts))
  return ofPage === null || ofPage.why === 'size' ? ofPage : smallerPage(error, places)
}

const largestSize = (levels: readonly PlaceList[], parts: readonly PlacesPart[]): number =>
  largest(parts.flatMap(({ sizes }) => sizes.filter((_, level) => levels[level]?.params?.size != null)))

async function readParts(
  reading: Reading,
  walk: PlaceWalk,
  source: PlaceSource,
  parts: readonly PlacesPart[],
): Promise<void> {
  const { api, pacer, lane, signal } = reading.tools
  const { operation, variables, size } = placesRequest(source, parts)
  const reply = await api.run({ operation, variables, lane, size, signal })
  reading.points += pacer.costs.quote(operation.shape, size).likely
  const rejection = reply.errors.length === 0 ? null : partFault(reply.errors)
  // A rejected page may be null beside good parts of the answer.
  if (rejection !== null && smallerFor(rejection, source, parts, size)?.why === 'size') throw rejection
  walk.take(reply)
}

/** Returns the number of places that one operation may request. */
function affordable({ pacer }: PlaceTools, source: PlaceSource): number {
  const one: PlacesPart = { id: '', tokens: [], sizes: levelsOf(source.list).map(() => 1) }
  const { shape } = placesRequest(source, [one]).operation
  const points = Math.min(operationLimit, pacer.pagePoints())
  return Math.min(mostPlaces, pacer.costs.largestPage(shape, { points, ms: pageMs }) ?? firstPlaces)
}

/** Returns a function that enters each place, with what it tells of the place above it. */
function collector({ accounts, sites, rooms }: Found): OnPlace {
  const addSite = (id: string, name: string, account: string | null) =>
    sites.set(id, { id, name, account: account ?? sites.get(id)?.account ?? null })
  return (kind, place, above) => {
    const { id, name } = place
    switch (kind) {
      case 'accounts':
        return void accounts.set(id, { id, name })
      case 'sites': {
        const account = place.above
        if (account !== null && !accounts.has(account.id))
          accounts.set(account.id, { id: account.id, name: account.name })
        return void addSite(id, name, above ?? account?.id ?? null)
      }
      case 'rooms': {
        const site = place.above
        if (site !== null && !sites.has(site.id)) addSite(site.id, site.name, null)
        const { capacity, size, floor } = place
        return void rooms.set(id, { id, name, site: above ?? site?.id ?? null, capacity, size, floor })
      }
      default:
        return assertNever(kind)
    }
  }
}

/**
 * Returns what was found. With `partial`, sites without an account are left out, and their rooms: the account may be
 * what is missing, and a null would be taken for none.
 */
function placesOf({ accounts, sites, rooms }: Found, hasAccounts: boolean, partial: boolean): TenantPlaces {
  const known = [...sites.values()].filter(({ account }) => !hasAccounts || !partial || account !== null)
  const ids = new Set(known.map(({ id }) => id))
  return {
    accounts: hasAccounts ? [...accounts.values()] : null,
    sites: known,
    rooms: [...rooms.values()].filter(({ site }) => site === null || ids.has(site)),
  }
}
