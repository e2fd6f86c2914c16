import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { keyList } from './keys.ts'

export function KeysDialog({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  return (
    <ModalOverlay className="overlay" isOpen={open} onOpenChange={onOpen} isDismissable>
      <Modal className="modal">
        <Dialog className="dialog">
          <Heading slot="title">Keys</Heading>
          <dl className="key-list">
            {keyList.map(({ keys, does }) => (
              <div key={keys + does}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <div className="dialog-actions">
            <Button className="button" slot="close">
              Close
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
