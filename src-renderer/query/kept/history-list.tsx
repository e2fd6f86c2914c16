import { useState } from 'react'
import {
  Button,
  Dialog,
  Heading,
  ListBox,
  ListBoxItem,
  ListLayout,
  Modal,
  ModalOverlay,
  Virtualizer,
} from 'react-aria-components'
import type { PastRun } from '../../../src-shared/model/kept-queries.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Moment } from '../../lib/ui/moment.tsx'
import { tabs } from '../query-state.ts'
import { isDone, notice } from './notice.ts'
import { openInTab } from './operations.ts'
import { rejectionOf, runTitle, runWords } from './run-text.ts'

const rowHeight = 44

/** The last runs, the newest first; one of them opens in a new tab. */
export function HistoryList() {
  const { session } = useAppContext()
  // Also after each run of a tab.
  const stamp = useStore(tabs, ({ all }) =>
    all.map(({ run }) => (run.is === 'none' ? '' : `${run.is} ${run.id}`)).join('\n'),
  )
  const { value, again } = useCall(stamp, () => session.pipe.call('queryHistory.list', {}))
  const connections = useStore(session.state, ({ app }) => app?.connections ?? none)
  const [text, setText] = useState('')
  const [isAsking, setAsking] = useState(false)
  const runs = value?.ok === true ? value.value.runs : []
  const nameOf = (id: string) => connections.find((each) => each.id === id)?.name ?? 'Removed connection'
  const rows = runs
    .map((run) => ({ run, id: run.id, connection: nameOf(run.connection) }))
    .filter((row) => hasText(row, text))
  const isOne = new Set(runs.map(({ connection }) => connection)).size < 2
  async function open(key: string) {
    const run = runs.find(({ id }) => id === key)
    const answer = await session.pipe.call('queryHistory.text', { id: key })
    if (!answer.ok) return void isDone(answer)
    const { text: sent } = answer.value
    if (sent === null) return notice.set({ text: 'The text of this run was too long to be kept.' })
    openInTab({ ...sent, connection: run?.connection ?? null, operation: run?.operation ?? null })
  }
  async function clear() {
    setAsking(false)
    if (isDone(await session.pipe.call('queryHistory.clear', {}))) notice.set({ text: 'History cleared.' })
    again()
  }
  return (
    <>
      <div className="kept-tools">
        <input
          className="input"
          type="search"
          aria-label="Filter the history"
          placeholder="Filter"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button className="button" isDisabled={runs.length === 0} onPress={() => setAsking(true)}>
          Clear…
        </Button>
      </div>
      {value === null && <p className="kept-note">Loading…</p>}
      {value?.ok === false && <FaultNote fault={value.fault} />}
      {value?.ok === true && rows.length === 0 && (
        <p className="kept-note">{runs.length === 0 ? 'No runs yet. The last 500 are kept.' : 'No matches.'}</p>
      )}
      <Runs rows={rows} isOne={isOne} onOpen={(key) => void open(key)} />
      <ClearDialog
        isOpen={isAsking}
        count={runs.length}
        onClear={() => void clear()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

interface Row {
  id: string
  run: PastRun
  connection: string
}

/** `isOne`: all runs are of one connection, which is not named then. */
function Runs({ rows, isOne, onOpen }: { rows: readonly Row[]; isOne: boolean; onOpen: (id: string) => void }) {
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: rowHeight }}>
      <ListBox className="kept-runs" aria-label="History of runs" items={rows} onAction={(key) => onOpen(String(key))}>
        {({ run, connection }) => (
          <ListBoxItem id={run.id} className="kept-run" textValue={`${runTitle(run)}, ${connection}, ${runWords(run)}`}>
            <RunItem run={run} connection={isOne ? null : connection} />
          </ListBoxItem>
        )}
      </ListBox>
    </Virtualizer>
  )
}

const none: readonly never[] = []

function hasText({ run, connection }: { run: PastRun; connection: string }, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  const all = [runTitle(run), connection, runWords(run), rejectionOf(run), run.excerpt]
  return wanted === '' || all.some((each) => each.toLowerCase().includes(wanted))
}

/** `connection`: its name; null where all are of the same. */
function RunItem({ run, connection }: { run: PastRun; connection: string | null }) {
  const words = runWords(run)
  return (
    <>
      <Isolated className="kept-name" title={run.excerpt}>
        {runTitle(run)}
      </Isolated>
      <span className="kept-when">
        <Moment at={run.at} />
      </span>
      <span className="kept-detail" data-bad={rejectionOf(run) !== ''} title={`${words}. ${rejectionOf(run)}`.trim()}>
        {words}
      </span>
      {connection !== null && <Isolated className="kept-connection">{connection}</Isolated>}
    </>
  )
}

interface ClearProps {
  isOpen: boolean
  count: number
  onClear: () => void
  onClose: () => void
}

function ClearDialog({ isOpen, count, onClear, onClose }: ClearProps) {
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">Clear the history?</Heading>
          <p>{many(count, 'run')} and their variables are removed from this computer. This cannot be undone.</p>
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus onPress={onClose}>
              Cancel
            </Button>
            <Button className="button danger" onPress={onClear}>
              Clear
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
