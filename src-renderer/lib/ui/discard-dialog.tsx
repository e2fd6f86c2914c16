import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface Leaving {
  /** True while the question is shown. */
  asking: boolean
  /** Closes a dialog without input; asks first when it has some. */
  leave(): void
  stay(): void
  discard(): void
}

/** Handles leaving a dialog that may have input. `holds` is called at that moment. */
export function useLeaving(holds: () => boolean, onDone: () => void): Leaving {
  const [asking, setAsking] = useState(false)
  return {
    asking,
    leave: () => (holds() ? setAsking(true) : onDone()),
    stay: () => setAsking(false),
    discard: onDone,
  }
}

/** A question over the dialog to be left. When the dialog stays, the focus returns to where it was. */
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
