/*
 * How long a text of a service may be, checked where it comes in and where the cache is read: a name of megabytes would
 * take the window from everybody, at each start anew.
 */

/** Characters of a name, a model or a region; what is longer is cut, and ends with an ellipsis. */
const longestName = 500
/** Characters of an id. A longer one cannot be cut without naming another thing: what has it is left out. */
const longestId = 500

/** Tenants of one connection; of more, the first ones are read, and a fault says so. */
export const mostTenants = 20_000

export const cutName = (name: string): string =>
  name.length <= longestName ? name : `${name.slice(0, longestName).toWellFormed()}…`

/** Whether the id of a site or a room is short enough; a service may leave it empty. */
export const isPlaceId = (id: string): boolean => id.length <= longestId

export const isId = (id: string): boolean => id !== '' && id.length <= longestId

/** Longest span of a handover report, ms. */
export const longestHandoverMs = 31 * 24 * 3_600_000
