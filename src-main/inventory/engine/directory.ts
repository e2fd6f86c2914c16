import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import type { TenantPlaces } from '../../../src-shared/model/places.ts'

export type ListedSite = Readonly<TenantPlaces['sites'][number]>
export type ListedRoom = Readonly<TenantPlaces['rooms'][number]>

/** The places that one connection lists in a tenant. */
export interface Directory {
  /** Order of the request that read it (protocol.ts, `PageInput`); 0 for one of an earlier run. */
  readonly requestOrder: number
  /** When it was read, ms. */
  readonly readAt: number
  /** Names by id; null where the service does not tell which site belongs to which account. */
  readonly accounts: ReadonlyMap<string, string> | null
  /** By id. */
  readonly sites: ReadonlyMap<string, ListedSite>
  /** By node id: two sites may each have a room of the same id. */
  readonly rooms: ReadonlyMap<string, ListedRoom>
}

/** The accounts of a tenant, of all its connections together. */
export interface Accounts {
  /** Names by id. */
  readonly names: ReadonlyMap<string, string>
  /** The account of each site whose account is known. */
  readonly bySite: ReadonlyMap<string, string>
}

export const noAccounts: Accounts = { names: new Map(), bySite: new Map() }

/** Returns whether the tree has a level of accounts: with a single one it says nothing. */
export const hasAccountLevel = ({ names }: Accounts): boolean => names.size > 1

/** Returns the accounts of several directories. Where two differ, the one that was read last counts. */
export function accountsOf(directories: Iterable<Directory>): Accounts {
  const told = [...directories]
    .filter(({ accounts }) => accounts !== null)
    .sort((one, other) => one.requestOrder - other.requestOrder || one.readAt - other.readAt)
  const names = new Map(told.flatMap(({ accounts }) => [...(accounts ?? [])]))
  const bySite = new Map<string, string>()
  if (names.size === 0) return noAccounts
  for (const { sites } of told)
    for (const { id, account } of sites.values()) if (account !== null && names.has(account)) bySite.set(id, account)
  return { names, bySite }
}

/** Returns the account of a site in a tenant's only account, whose level the tree leaves out; null for any other site. */
export function onlyAccountOf(accounts: Accounts, site: string): string | null {
  return hasAccountLevel(accounts) ? null : (accounts.bySite.get(site) ?? null)
}

export const sameAccounts = (one: Accounts, other: Accounts): boolean =>
  sameTexts(one.names, other.names) && sameTexts(one.bySite, other.bySite)

const sameTexts = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([id, text]) => other.get(id) === text)

/** Returns the account of a site; null: it is not known, or the tenant has no account level. */
export function accountOfSite(accounts: Accounts, site: string): NamedRef | null {
  const { names, bySite } = accounts
  const id = hasAccountLevel(accounts) ? bySite.get(site) : undefined
  return id === undefined ? null : { id, name: names.get(id) ?? '' }
}

/** Returns the number of accounts, sites and rooms. */
export const sizeOf = ({ accounts, sites, rooms }: Directory): number => (accounts?.size ?? 0) + sites.size + rooms.size

export const sameSite = (one: ListedSite, other: ListedSite | undefined): boolean =>
  other !== undefined && one.name === other.name && one.account === other.account

export const sameRoom = (one: ListedRoom, other: ListedRoom | undefined): boolean =>
  other !== undefined &&
  one.name === other.name &&
  one.capacity === other.capacity &&
  one.size === other.size &&
  one.floor === other.floor
