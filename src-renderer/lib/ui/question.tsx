import type { ReactNode } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

interface Props {
  title: ReactNode
  /** What the answer means. */
  children: ReactNode
  /** The harmless answer, which has the focus. */
  keep: string
  onKeep: () => void
  /** The button of the other answer. */
  act: ReactNode
  /** It stays open meanwhile. */
  isBusy?: boolean
}

/** Asks before something is done. */
export function Question({ title, children, keep, onKeep, act, isBusy = false }: Props) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && !isBusy && onKeep()}>
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">{title}</Heading>
          {children}
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus isDisabled={isBusy} onPress={onKeep}>
              {keep}
            </Button>
            {act}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
