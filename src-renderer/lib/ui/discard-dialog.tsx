import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface Leaving {
  /** The question stands on the screen. */
  asking: boolean
  /** Closes what holds nothing of the operator's; else asks first. */
  leave(): void
  stay(): void
  discard(): void
}

/** Leaving a dialog that may hold what was typed. `holds` is asked at that moment. */
export function useLeaving(holds: () => boolean, onDone: () => void): Leaving {
  const [asking, setAsking] = useState(false)
  return {
    asking,
    leave: () => (holds() ? setAsking(true) : onDone()),
    stay: () => setAsking(false),
    discard: onDone,
  }
}

/** Over the dialog that is to be left; when it stays, the focus goes back to where it was in it. */
export function LeaveDialog({ what, leaving }: { what: string; leaving: Leaving }) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.stay()}>
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">Discard it?</Heading>
          <p>{what}</p>
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus onPress={leaving.stay}>
              Go back
            </Button>
            <Button className="button danger" onPress={leaving.discard}>
              Discard
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
