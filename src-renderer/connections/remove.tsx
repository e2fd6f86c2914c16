import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { useAppContext } from '../lib/context.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { useInTeam } from '../team/use-in-team.ts'
import { Isolated } from '../lib/ui/isolated.tsx'

/** What is wiped, and where: in a team, at every member. */
export function Removed() {
  const inTeam = useInTeam()
  return (
    <>
      <p>
        {inTeam
          ? 'This wipes from the computer of every member of the team, and in some minutes from its database:'
          : 'This wipes from this computer:'}
      </p>
      <ul className="removed-list">
        <li>the connection, with its addresses and its client secret</li>
        <li>the devices that only it sees</li>
        <li>their history of transitions</li>
        {inTeam && <li>the shift handovers that may name them</li>}
      </ul>
      {inTeam && (
        <p>
          A member that is away wipes it when it is back, except perhaps its client secret. Backups of the database stay
          as they are.
        </p>
      )}
      <p>
        <strong>It cannot be undone:</strong> the history cannot be fetched again. Nothing changes on the service.
      </p>
    </>
  )
}

export function RemoveDialog({
  connection,
  onDone,
  onRemoved,
}: {
  connection: ConnectionState
  onDone: () => void
  onRemoved: () => void
}) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)
  async function remove() {
    setBusy(true)
    const answer = await session.pipe.call('connections.remove', { id: connection.id })
    setBusy(false)
    if (answer.ok) onRemoved()
    else setFault(answer.fault)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()}>
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">
            Remove <Isolated>{connection.name}</Isolated>?
          </Heading>
          <Removed />
          <FaultNote fault={fault} />
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus onPress={onDone}>
              Keep it
            </Button>
            <Button className="button danger" isDisabled={busy} onPress={() => void remove()}>
              {busy ? 'Removing…' : 'Remove and wipe'}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
