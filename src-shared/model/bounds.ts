/*
 * Limits for texts of a service, checked where they arrive and where the cache is read. A name of megabytes would block
 * the window, at every start again.
 */

/** Maximum number of characters of a name, a model or a region. A longer one is cut and ends with an ellipsis. */
const longestName = 500
/**
 * Maximum number of characters of an id. An object with a longer one is left out, because a cut id would name another
 * object.
 */
const longestId = 500

/** Maximum number of tenants of a connection. Of more, the first ones are read, and a fault says so. */
export const maxTenants = 20_000

/**
 * Maximum number of accounts, sites and rooms that are listed in a tenant, and in all tenants of all connections
 * together. Of more, the first ones are kept, and the connection's details say how many were left out.
 */
export const maxPlaces = 200_000
export const maxPlacesTogether = 1_000_000

export const cutName = (name: string): string =>
  name.length <= longestName ? name : `${name.slice(0, longestName).toWellFormed()}…`

/** Returns whether the id of a site or a room is short enough. It may be empty. */
export const isPlaceId = (id: string): boolean => id.length <= longestId

export const isId = (id: string): boolean => id !== '' && id.length <= longestId

/** The longest span of a handover, in ms. */
export const maxHandoverMs = 31 * 24 * 3_600_000
