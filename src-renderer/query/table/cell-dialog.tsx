import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { useCopied } from '../../lib/ui/buttons/copy-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import type { TableKey } from './source.ts'

/** A cell that is shown as a whole. `row`: its place in the answer; `place`: in the shown order, from 0. */
export interface ShownCell extends TableKey {
  row: number
  place: number
  column: number
  name: string
}

export function CellDialog({ cell, onClose }: { cell: ShownCell | null; onClose: () => void }) {
  return (
    <ModalOverlay className="overlay" isOpen={cell !== null} onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className="modal">
        <Dialog className="dialog">{cell !== null && <Value cell={cell} onClose={onClose} />}</Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Value({ cell: { run, table, row, place, column, name }, onClose }: { cell: ShownCell; onClose: () => void }) {
  const { session } = useAppContext()
  const { value } = useCall(`${row} ${column}`, async () => {
    const answer = await session.pipe.call('query.tableCell', { run, table, row, column })
    return { cell: answer.ok ? answer.value.cell : null, isRead: answer.ok }
  })
  const text = value?.cell?.text ?? ''
  const { copied, copy } = useCopied(text)
  return (
    <>
      <Heading slot="title">
        <Isolated>{name}</Isolated>, row {numberText(place + 1)}
      </Heading>
      {value === null && <p className="muted-text">Reading…</p>}
      {value !== null && !value.isRead && (
        <p className="muted-text">This answer is no longer kept. Run the query again.</p>
      )}
      {value?.isRead === true && value.cell === null && <p className="muted-text">The row has no such member.</p>}
      {value !== null && value.cell !== null && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long value is scrolled by the keys
        <pre className="answer-value" role="group" tabIndex={0} aria-label={name}>
          {value.cell.kind === 'null' ? 'null' : text}
          {value.cell.isCut && '…'}
        </pre>
      )}
      <div className="dialog-actions">
        <Button className="button" isDisabled={text === ''} onPress={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button className="button primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </>
  )
}
