import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import type { TableView } from '../../../src-shared/model/query-table.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { saveParts } from '../../lib/save-file.ts'
import { shellOf } from '../../lib/session.ts'
import { savedState, SaveStatus, type SaveState } from '../../lib/ui/save-status.tsx'
import type { TableChoice } from './choice.ts'
import type { TableKey, TableSource } from './source.ts'

const formats = [
  { format: 'csv', word: 'As CSV, for spreadsheets', type: 'text/csv' },
  { format: 'json', word: 'As JSON', type: 'application/json' },
  { format: 'ndjson', word: 'As NDJSON, a row on each line', type: 'application/x-ndjson' },
] as const

/** Saves the rows that match, in the shown order, with the shown columns. */
export function SaveTable({ of, source, choice }: { of: TableKey; source: TableSource; choice: TableChoice }) {
  const { session, ticker } = useAppContext()
  const [state, setState] = useState<SaveState>({ is: 'idle' })
  const stopped = useRef(false)
  async function save({ format, type }: (typeof formats)[number]) {
    stopped.current = false
    const saving = (rows: number, total: number | null) =>
      setState({
        is: 'saving',
        progress: `Saved ${numberText(rows)}${total === null ? '' : ` of ${numberText(total)}`} rows…`,
      })
    saving(0, null)
    const next = reader(session.pipe, of, source.view(), format, saving)
    const name = fileName(choice.list ?? 'query', format, new Date(ticker.exact()))
    const done = await saveParts(session.pipe, shellOf(session), name, type, next, () => stopped.current)
    setState(savedState(done))
  }
  return (
    <>
      <MenuTrigger>
        <Button className="button" isDisabled={state.is === 'saving'}>
          <Download size={14} aria-hidden />
          Export
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" aria-label="Export the rows">
            {formats.map((each) => (
              <MenuItem key={each.format} className="menu-item" onAction={() => void save(each)}>
                {each.word}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      {state.is === 'saving' && (
        <Button className="button subtle" onPress={() => (stopped.current = true)}>
          Stop
        </Button>
      )}
      <SaveStatus state={state} />
    </>
  )
}

/** Returns a function that reads part after part, and null at the end. */
function reader(
  pipe: Pipe,
  { run, table }: TableKey,
  view: TableView,
  format: (typeof formats)[number]['format'],
  onPart: (rows: number, total: number) => void,
): () => Promise<Answer<string> | null> {
  let from: number | null = 0
  return async () => {
    if (from === null) return null
    const answer = await pipe.call('query.tableExport', { run, table, view, format, range: null, from })
    if (!answer.ok) return answer
    const { text, next, total } = answer.value
    from = next
    onPart(next ?? total, total)
    return { ok: true, value: text }
  }
}
