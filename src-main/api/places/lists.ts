/** The levels below a tenant that a service may list. */
export type PlaceKind = 'accounts' | 'sites' | 'rooms'

/** The argument `params` of a list. A member is null where the service does not offer it. */
export interface PageParams {
  /** Its type, as written in a document. */
  type: string
  size: 'pageSize' | 'limit' | null
  token: 'nextToken' | 'cursor' | null
  /** The value of `paging` that asks for the next page (service-twin.md, section 8). */
  paging: string | null
}

/** A field that lists places, as the service's schema declares it. */
export interface PlaceList {
  kind: PlaceKind
  field: string
  /** A plain list of places, or a connection (`edges { node }`). */
  form: 'list' | 'connection'
  params: PageParams | null
  /** Members of its `pageInfo`. */
  pageInfo: readonly string[]
  /** True when a connection has `total` beside its edges. */
  hasTotal: boolean
  /** Plain members of each place. */
  members: readonly string[]
  /** The place above that each names: the account of a site, the site of a room. */
  above: { field: 'account' | 'site'; members: readonly string[] } | null
  below: PlaceList | null
}

/** A list with the root field that leads to it. */
export interface PlaceSource {
  /** The root field above the list; null: the list is a root field itself. */
  parent: 'tenant' | 'site' | null
  /** The argument that names the tenant or the site, and its type as written in a document. */
  idArgument: 'id' | 'tenantId'
  idType: string
  list: PlaceList
}

/** The lists of places that a service offers and that Muster reads. */
export interface PlaceSources {
  /** A tenant's accounts, with their sites where that is needed; or its sites. */
  nested: PlaceSource | null
  /** All sites, and all rooms, of a tenant (service-twin.md, section 8). */
  siteData: PlaceSource | null
  roomData: PlaceSource | null
  /** The rooms of one site. */
  siteRooms: PlaceSource | null
}

/** Returns a list and those below it, the outermost first. */
export const levelsOf = (list: PlaceList): PlaceList[] => [list, ...(list.below === null ? [] : levelsOf(list.below))]

/** Returns whether these lists tell which account each site belongs to. */
export const tellsAccounts = ({ nested, siteData }: PlaceSources): boolean =>
  (nested?.list.kind === 'accounts' && nested.list.below !== null) || siteData?.list.above?.field === 'account'
