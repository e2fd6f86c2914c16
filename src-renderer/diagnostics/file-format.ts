import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import { rowsText } from '../../src-shared/text/diagnostics.ts'

/** The files of one kind in the profile. */
export interface StoredFiles {
  what: string
  /** The size of all its files. */
  bytes: number
  /** The numbers of rows in it; '' without any. */
  holds: string
}

const kinds = [
  { what: 'Inventory cache', prefix: 'cache.db' },
  { what: 'History', prefix: 'journal.db' },
  { what: 'Settings', prefix: 'settings.' },
  { what: 'Log', prefix: 'muster.log' },
] as const

/** Tables whose rows are counted for the operator, with the words for one row and for several. */
const counted = [
  ['device', 'device', 'devices'],
  ['tenant', 'tenant', 'tenants'],
  ['transition', 'change of a device', 'changes of devices'],
  ['incident', 'incident', 'incidents'],
  ['view', 'saved view', 'saved views'],
] as const

/**
 * Returns the files of a profile by kind; each file counts once. The bundle and the copied text list them one by one.
 */
export function storedFiles({ files, tables }: Pick<Diagnostics, 'files' | 'tables'>): StoredFiles[] {
  const kindOf = (name: string): string => kinds.find(({ prefix }) => name.startsWith(prefix))?.what ?? 'Other files'
  return [...kinds.map(({ what }) => what), 'Other files'].flatMap((what) => {
    const own = files.filter(({ name }) => kindOf(name) === what)
    const holds = counted.flatMap(([name, one, several]) => {
      const table = tables.find((each) => each.name === name && kindOf(each.file) === what)
      return table === undefined || table.rows === 0
        ? []
        : [`${rowsText(table)} ${table.rows === 1 && !table.more ? one : several}`]
    })
    return own.length === 0
      ? []
      : [{ what, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0), holds: holds.join(', ') }]
  })
}
