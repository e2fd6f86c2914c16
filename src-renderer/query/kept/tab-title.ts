import { operationNames } from '../variables.ts'
import type { Tab } from '../query-state.ts'
import { savedOf, type Operations } from './operations.ts'

/** Most characters of a document that are read for its title. */
const readLength = 20_000

/** Returns the title of a tab: the name of its saved operation, or of the operation in it. */
export function tabTitle(tab: Pick<Tab, 'saved' | 'document' | 'operation'>, known: Operations): string {
  const saved = savedOf(tab, known)
  if (saved !== null) return saved.name
  const names = operationNames(tab.document.slice(0, readLength))
  return names.find((name) => name === tab.operation) ?? names[0] ?? 'Untitled'
}
