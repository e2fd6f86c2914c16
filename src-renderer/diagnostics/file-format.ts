import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import { rowsText } from '../../src-shared/text/diagnostics.ts'

/** What lies in the profile, as an operator calls it. */
export interface Kept {
  what: string
  /** Of all its files. */
  bytes: number
  /** How much of what is in it; '' where there is nothing to count. */
  holds: string
}

const kinds = [
  { what: 'Inventory cache', begins: 'cache.db' },
  { what: 'History', begins: 'journal.db' },
  { what: 'Settings', begins: 'settings.' },
  { what: 'Log', begins: 'muster.log' },
] as const

/** Tables that say something to an operator: one of it, and several. */
const counted = [
  ['device', 'device', 'devices'],
  ['tenant', 'tenant', 'tenants'],
  ['transition', 'change of a device', 'changes of devices'],
  ['incident', 'incident', 'incidents'],
  ['view', 'saved view', 'saved views'],
] as const

/** The files of a profile by what they are for; each file counts once. The bundle and the copied text have them one by one. */
export function storedFiles({ files, tables }: Pick<Diagnostics, 'files' | 'tables'>): Kept[] {
  const kindOf = (name: string): string => kinds.find(({ begins }) => name.startsWith(begins))?.what ?? 'Other files'
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
