import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { useAppContext } from '../lib/context.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'

/** Asks before a connection of a team is paused, because that is for all members. */
export function PauseDialog({
  connection: { id, name },
  coreLost,
  onDone,
}: {
  connection: ConnectionState
  coreLost: boolean
  onDone: () => void
}) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function pause() {
    setBusy(true)
    const answer = await session.pipe.call('connections.pause', { id, paused: true })
    setBusy(false)
    if (answer.ok) onDone()
    else setFault(answer.fault)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && !isBusy && onDone()}>
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">
            Pause <Isolated>{name}</Isolated> for everybody in the team?
          </Heading>
          <p>
            No member syncs or streams it until one of them resumes it. Devices that only it sees are unknown at every
            member.
          </p>
          <FaultNote fault={fault} />
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus isDisabled={isBusy} onPress={onDone}>
              Cancel
            </Button>
            <Button className="button primary" isDisabled={isBusy || coreLost} onPress={() => void pause()}>
              Pause
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
