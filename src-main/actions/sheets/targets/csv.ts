import { FaultError } from '../../../../src-shared/model/fault.ts'
import { maxTargets } from '../../../../src-shared/model/jobs.ts'
import { readTable, withoutApostrophe, type TableForm } from '../../../connections/import/table.ts'

const columns = ['key', 'id', 'name', 'site', 'room'] as const
type Column = (typeof columns)[number]

/** A line of the file. Cells are '' where they are empty or missing; `name`, `site` and `room` then change nothing. */
export interface UpdateLine extends Record<Column, string> {
  line: number
}

const inText = maxTargets.toLocaleString('en-US')

const form: TableForm<Column> = {
  columns,
  missing(found) {
    if (!found.includes('id') && !found.includes('key'))
      return 'The first line must name the columns: id (or key), and name, site or room. The column “id” is missing.'
    return found.some((name) => name === 'name' || name === 'site' || name === 'room')
      ? null
      : 'The first line must name the columns: id (or key), and name, site or room. There is none of the last three.'
  },
  maxLines: maxTargets,
  tooManyLines: `There are more than ${inText} lines, and a job acts on at most ${inText} devices. Divide the file.`,
  tooManyCells: 'There are more cells than a list of devices can have.',
}

/**
 * Reads the text of an `update` (model/jobs.ts, `actionRequest`). Throws a fault of kind `input` that names the line where
 * any line cannot be read: what follows it may mean other devices.
 */
export function readUpdate(text: string): { lines: UpdateLine[]; ignored: string[] } {
  const table = readTable(text, form)
  const broken = table.lines.find(({ problem }) => problem !== null)
  if (broken !== undefined) throw new FaultError('input', `text: Line ${broken.line}: ${broken.problem ?? ''}`)
  const places = columns.map((column) => [column, table.columns.indexOf(column)] as const)
  return {
    ignored: table.ignored,
    lines: table.lines.map(({ line, cells }) => {
      const found = { key: '', id: '', name: '', site: '', room: '' }
      for (const [column, at] of places) found[column] = withoutApostrophe(cells[at] ?? '').trim()
      return { line, ...found }
    }),
  }
}
