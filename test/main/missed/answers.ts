import type { Device, Fleet } from './fleet.ts'
import { saysOnline, wordNow } from './fleet.ts'

/** The tenants and devices that a connection may see. */
export interface Viewer {
  id: string
  credentials: string
  tenants: readonly string[]
  sees(device: Device): boolean
}

/** The service's offer beyond the specification's minimum. */
export interface Offer {
  pageSize: boolean
  byId: boolean
  /** Devices a page where no size is asked for. */
  ownPage: number
  /** Whether events name the tenant. */
  namesTenant: boolean
}

/** An answer, and which word of which device it carries. */
export interface Answer {
  body: unknown
  told: { device: Device; word: number }[]
  /** Whether the console uses the content of the answer. */
  isReading: boolean
  /** Whether the answer lists the devices, and not only the states of known ones. */
  lists: boolean
}

interface Asked {
  name: string
  variables: Record<string, unknown>
}

const nameOf = (query: string): string => /^query (\w+)/u.exec(query)?.[1] ?? ''

export function askedIn(body: string): Asked {
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> }
  return { name: nameOf(query), variables: variables ?? {} }
}

/** The service's answer as things are now. */
export function answerTo({ name, variables }: Asked, fleet: Fleet, viewer: Viewer, offer: Offer): Answer {
  const seen = fleet.devices.filter((device) => viewer.tenants.includes(device.tenant) && viewer.sees(device))
  if (name === 'Tenants')
    return {
      body: { data: { tenants: viewer.tenants.map((id) => ({ id, name: id, region: null })) } },
      told: [],
      isReading: false,
      lists: false,
    }
  if (name === 'Schema') return { body: { data: schemaOf(offer) }, told: [], isReading: false, lists: false }
  if (name === 'StatesByIds') return byIds(Object.values(variables).map(String), seen)
  return pageOf(String(variables['tenant']), variables['params'] as PageParams, seen, offer, name)
}

interface PageParams {
  nextToken: string | null
  pageSize?: number
}

function pageOf(
  tenant: string,
  { nextToken, pageSize }: PageParams,
  seen: readonly Device[],
  offer: Offer,
  name: string,
): Answer {
  const all = seen.filter((device) => device.tenant === tenant)
  const from = Number(nextToken ?? 0)
  const size = pageSize ?? offer.ownPage
  const some = all.slice(from, from + size)
  const next = from + size < all.length ? String(from + size) : null
  const edges = some.map((device) => ({ node: nodeOf(device) }))
  const pageInfo = { totalCount: all.length, countOnPage: some.length, nextToken: next, hasNextPage: next !== null }
  // A look carries no states.
  const told = name === 'Fingerprint' ? [] : some.map((device) => ({ device, word: wordNow(device) }))
  // A page of one or two may be no more than a question for the total.
  return {
    body: { data: { tenant: { inventory: { deviceSearch: { edges, pageInfo } } } } },
    told,
    isReading: pageSize === undefined || pageSize > 2,
    lists: name === 'Devices',
  }
}

function byIds(ids: readonly string[], seen: readonly Device[]): Answer {
  const found = ids.map((id) => seen.find((device) => device.id === id) ?? null)
  const data = Object.fromEntries(found.map((device, at) => [`d${at}`, device && nodeOf(device)]))
  return {
    body: { data },
    told: found.flatMap((device) => (device === null ? [] : { device, word: wordNow(device) })),
    isReading: true,
    lists: false,
  }
}

function nodeOf(device: Device): object {
  return { id: device.id, name: device.id, connected: saysOnline(device, wordNow(device)), lastDetected: null }
}

function schemaOf({ pageSize, byId }: Offer): object {
  const text = { kind: 'SCALAR', name: 'String', ofType: null }
  const field = { name: 'device', args: [{ name: 'id', type: { kind: 'NON_NULL', name: null, ofType: text } }] }
  return {
    root: { queryType: { fields: byId ? [field] : [] } },
    params: { inputFields: [{ name: 'filter', type: text }, ...(pageSize ? [{ name: 'pageSize', type: text }] : [])] },
  }
}
