import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { SheetRow } from '../../../src-shared/model/jobs.ts'
import { isReady, type PreparedSheet } from './sheet.ts'

/** How long a sheet can be started, ms, and how many are kept. */
const maxAgeMs = 15 * 60_000
const maxSheets = 20

/** The prepared sheets, in memory: the oldest goes for the newest. */
export interface SheetStore {
  put(sheet: PreparedSheet): void
  /** Returns a page of a sheet's rows, those with an obstacle first. Throws `input` where the sheet is gone. */
  rows(id: string, offset: number, limit: number): { total: number; rows: SheetRow[] }
  /** Returns the rows of a sheet. Throws `input` where it is gone. */
  all(id: string): PreparedSheet['rows']
  /** Returns what is made of a sheet, once: it is used unless that throws. Throws `input` where it is gone or used. */
  use<T>(id: string, make: (sheet: PreparedSheet) => T): T
}

interface Kept {
  sheet: PreparedSheet
  sorted: PreparedSheet['rows']
  at: number
  monotonicAt: number
  used: boolean
}

export function openSheetStore(clock: Pick<Clock, 'now' | 'monotonic'>): SheetStore {
  const sheets = new Map<string, Kept>()
  // The monotonic clock may stand still while the computer sleeps, and the other one may be set.
  const isOver = ({ at, monotonicAt }: Kept) =>
    clock.monotonic() - monotonicAt > maxAgeMs || Math.abs(clock.now() - at) > maxAgeMs
  const find = (id: string): Kept => {
    for (const [each, kept] of sheets) if (isOver(kept)) sheets.delete(each)
    const found = sheets.get(id)
    if (found === undefined) throw new FaultError('input', 'sheet: It is too old. Prepare the action again.')
    return found
  }
  return {
    put(sheet) {
      const [blocked, ready] = [sheet.rows.filter((row) => !isReady(row)), sheet.rows.filter(isReady)]
      sheets.set(sheet.id, {
        sheet,
        sorted: [...blocked, ...ready],
        at: clock.now(),
        monotonicAt: clock.monotonic(),
        used: false,
      })
      for (const id of sheets.keys()) if (sheets.size > maxSheets) sheets.delete(id)
    },
    rows(id, offset, limit) {
      const { sorted } = find(id)
      return { total: sorted.length, rows: sorted.slice(offset, offset + limit).map(shownRow) }
    },
    all: (id) => find(id).sheet.rows,
    use(id, make) {
      const kept = find(id)
      if (kept.used) throw new FaultError('input', 'sheet: Its job was started already. Prepare the action again.')
      const made = make(kept.sheet)
      kept.used = true
      return made
    },
  }
}

/** Without what the window must not have. */
function shownRow(row: PreparedSheet['rows'][number]): SheetRow {
  const { id: _id, sender: _sender, ...shown } = row
  return shown
}
