import type { TableChoice } from './choice.ts'
import type { TableKey, TableSource } from './source.ts'
import type { TableInfo } from './use-tables.ts'

/** What each part of a table is drawn from. */
export interface TableProps {
  of: TableKey
  info: TableInfo
  source: TableSource
  choice: TableChoice
}
