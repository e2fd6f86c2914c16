/** The most that an import may be, in characters as a string counts them; a file of more is imported in parts. */
export const importLimit = 20_000_000

/**
 * The most that any call may be as JSON, in bytes of UTF-8. An import fits in any script (three bytes a character), and so do
 * the keys of the longest selection.
 */
export const callLimit = 64 * 1024 * 1024

const usualLimit = 1024 * 1024
/** Calls whose largest input is more than usual. */
const largerCalls = new Map([
  ['connections.import', callLimit],
  ['inventory.export', callLimit],
  ['inventory.hidden', callLimit],
  ['files.write', callLimit],
  ['inventory.tree', 32 * 1024 * 1024],
  ['settings.change', 16 * 1024 * 1024],
  ['inventory.totals', 8 * 1024 * 1024],
  ['inventory.places', 2 * 1024 * 1024],
])

/** The most that this call may be as JSON, in bytes of UTF-8. The window says so before it sends more. */
export const limitOf = (call: string): number => largerCalls.get(call) ?? usualLimit

/** Entries of all arrays and objects of a call together: what they take in memory has nothing to do with their bytes. */
export const entriesLimit = 250_000

/** The last moment that a date of four digits has, in ms. */
export const lastMoment = 253_402_300_799_999
