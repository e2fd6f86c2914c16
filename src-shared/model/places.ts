/** The places that a service lists for one tenant, whether or not they have devices. */
export interface TenantPlaces {
  /** Null where the service has no accounts, or does not tell which site belongs to which. */
  accounts: { id: string; name: string }[] | null
  /** `account`: id; null where it is unknown or none. */
  sites: { id: string; name: string; account: string | null }[]
  /** `site`: id; null where the service lists a room without a site. Null fields: the service did not say. */
  rooms: {
    id: string
    name: string
    site: string | null
    capacity: number | null
    size: string | null
    floor: string | null
  }[]
}
