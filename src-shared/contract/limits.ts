/** The maximum length of an import, in UTF-16 code units. A larger file is imported in parts. */
export const importLimit = 20_000_000

/**
 * The maximum size of any call's JSON, in bytes of UTF-8. It fits an import in any script (three bytes per character)
 * and the keys of the longest selection.
 */
export const callLimit = 64 * 1024 * 1024

const defaultLimit = 1024 * 1024
/** Calls whose input may exceed the usual limit. */
const largerCalls = new Map([
  ['connections.import', callLimit],
  ['compare.list', callLimit],
  ['inventory.export', callLimit],
  ['inventory.hidden', callLimit],
  ['files.write', callLimit],
  // The filters of all saved views.
  ['inventory.totals', callLimit],
  // The keys of the largest job, or a file of updates.
  ['jobs.prepare', callLimit],
  // The keys of as many devices.
  ['notes.tags', callLimit],
  ['notes.tag', callLimit],
  ['notes.setTags', callLimit],
  ['inventory.tree', 32 * 1024 * 1024],
  ['settings.change', 16 * 1024 * 1024],
  ['query.run', 8 * 1024 * 1024],
  ['query.runBatch', 8 * 1024 * 1024],
  ['query.batchCost', 8 * 1024 * 1024],
  ['cost.estimate', 8 * 1024 * 1024],
  ['cost.without', 8 * 1024 * 1024],
  ['queryTabs.save', 8 * 1024 * 1024],
  ['operations.import', 16 * 1024 * 1024],
  ['subscription.start', 8 * 1024 * 1024],
  ['mutation.prepare', 8 * 1024 * 1024],
  ['inventory.places', 2 * 1024 * 1024],
])

/** Returns the maximum size of a call's JSON, in bytes of UTF-8. The window checks it before it sends. */
export const limitOf = (call: string): number => largerCalls.get(call) ?? defaultLimit

/**
 * The maximum number of entries in all arrays and objects of a call together, because their memory does not depend on
 * the bytes.
 */
export const entriesLimit = 250_000

/** The last moment of the year 9999, in ms. */
export const lastMoment = 253_402_300_799_999
