import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { TableView } from '../../../src-shared/model/query-table.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import type { LoadedRow, TableKey } from './source.ts'

/** Most rows that are copied: more are exported. */
const maxCopied = 10_000

interface Copy {
  of: TableKey
  view: TableView
  /** First and last selected row; null: the cell is copied. */
  selected: readonly [first: number, last: number] | null
  row: LoadedRow | undefined
  /** Index of the cell's column. */
  column: number
}

/** Copies a cell as its text, or rows as tab-separated values. Resolves with what to say. */
export async function copyRows(pipe: Pipe, { of, view, selected, row, column }: Copy): Promise<string> {
  if (selected === null) {
    const text = row === undefined ? null : await cellText(pipe, of, row.row, column)
    return text === null ? 'The cell could not be copied.' : written(text, 'Copied the cell.')
  }
  const count = selected[1] - selected[0] + 1
  if (count > maxCopied) return `More than ${numberText(maxCopied)} rows are selected: export them.`
  const text = await rowsText(pipe, of, view, { from: selected[0], to: selected[1] + 1 })
  return text === null ? 'The rows could not be copied.' : written(text, `Copied ${many(count, 'row')}.`)
}

const written = (text: string, words: string): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => words,
    () => 'The clipboard could not be written.',
  )

/** Returns the whole text of a cell, '' where the row has none; null where it cannot be read. */
async function cellText(pipe: Pipe, { run, table }: TableKey, row: number, column: number): Promise<string | null> {
  const answer = await pipe.call('query.tableCell', { run, table, row, column })
  return answer.ok ? (answer.value.cell?.text ?? '') : null
}

async function rowsText(
  pipe: Pipe,
  { run, table }: TableKey,
  view: TableView,
  range: { from: number; to: number },
): Promise<string | null> {
  let text = ''
  for (let from = 0; ;) {
    const answer = await pipe.call('query.tableExport', { run, table, view, format: 'tsv', range, from })
    if (!answer.ok) return null
    text += answer.value.text
    if (answer.value.next === null) return text
    from = answer.value.next
  }
}
