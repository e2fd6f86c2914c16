import { z } from 'zod'
import {
  maxOperations,
  maxTabs,
  operationsFileLimit,
  pastRun,
  queryTab,
  savedOperation,
} from '../model/kept-queries.ts'

const id = z.string().max(64)

/**
 * What the query screen keeps in the journal: a part of the contract (contract.ts). Registered secrets are replaced in all texts before
 * they are written. Writing fails with `storage` when the disk does.
 */
export const keptCalls = {
  /** Returns the tabs in their order, and the one that was shown last; null: none. What another version wrote may be left out. */
  'queryTabs.list': {
    input: z.object({}),
    output: z.object({ tabs: z.array(queryTab), active: z.string().nullable() }),
  },
  /** Writes a tab, a new one behind all others. Fails with `input` beyond `maxTabs`. */
  'queryTabs.save': { input: queryTab, output: z.object({}) },
  /** Sets the order of these tabs, and which one is shown. Tabs of other windows stay. */
  'queryTabs.arrange': { input: z.object({ order: z.array(id).max(maxTabs), active: id }), output: z.object({}) },
  'queryTabs.close': { input: z.object({ id }), output: z.object({}) },
  /** Returns the saved operations. What another version wrote may be left out. */
  'operations.list': { input: z.object({}), output: z.object({ operations: z.array(savedOperation) }) },
  /** Adds an operation, or changes the one with its id. Fails with `input` beyond `maxOperations` or `operationsLimit`. */
  'operations.save': { input: savedOperation, output: z.object({}) },
  'operations.remove': { input: z.object({ id }), output: z.object({}) },
  /**
   * Adds the operations of a `.graphql` file: all or none. `file`: its name, for operations without one. `same`: how many there were
   * already. Fails with `input` (`line 3: words`) for a text that cannot be read.
   */
  'operations.import': {
    input: z.object({ text: z.string().max(operationsFileLimit), file: z.string().max(260) }),
    output: z.object({ added: z.number(), same: z.number() }),
  },
  /** Returns operations as the text of a `.graphql` file, in the order of their folders and names. `ids`: null for all. */
  'operations.export': {
    input: z.object({ ids: z.array(id).max(maxOperations).nullable() }),
    output: z.object({ text: z.string(), count: z.number() }),
  },
  /** Returns the last runs, the newest first. */
  'queryHistory.list': { input: z.object({}), output: z.object({ runs: z.array(pastRun) }) },
  /** Returns what a past run sent; null where it is not kept. */
  'queryHistory.text': {
    input: z.object({ id }),
    output: z.object({ text: z.object({ document: z.string(), variables: z.string() }).nullable() }),
  },
  /** Removes all runs from the history, and from the file. */
  'queryHistory.clear': { input: z.object({}), output: z.object({}) },
}
