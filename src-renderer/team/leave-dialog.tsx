import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { TeamFaultNote } from './fault-text.tsx'

interface Props {
  coreLost: boolean
  onStay: () => void
  onLeft: () => void
}

/** Asks whether to leave the team, and leaves it. It stays open meanwhile. */
export function LeaveTeamDialog({ coreLost, onStay, onLeft }: Props) {
  const { session } = useAppContext()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const leave = async () => {
    setBusy(true)
    const answer = await session.pipe.call('team.leave', {})
    setBusy(false)
    if (answer.ok) onLeft()
    else setFault(answer.fault)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && !isBusy && onStay()}>
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">Leave the team?</Heading>
          <p>
            Muster’s core starts again with this Muster’s own data, as it was before it joined. A copy of the team’s
            data stays on this computer’s disk.
          </p>
          <p>
            The other members go on. Another one takes over the incidents, and the connections whose client secrets it
            has.
          </p>
          <TeamFaultNote fault={fault} />
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus isDisabled={isBusy} onPress={onStay}>
              Stay
            </Button>
            <Button className="button danger" isDisabled={coreLost} isPending={isBusy} onPress={() => void leave()}>
              {isBusy ? 'Leaving…' : 'Leave team'}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
