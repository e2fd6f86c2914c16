import { useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { NameForm } from '../../lib/ui/name-form.tsx'

export interface Named {
  name: string
  isDefault: boolean
  withColumns: boolean
}

/** The input of the dialog, and the action on its result. */
export interface Naming {
  title: string
  act: string
  name: string
  isDefault: boolean
  /** True when the view includes the columns that are shown now; otherwise it uses the operator's own. */
  withColumns: boolean
  onName: (named: Named) => void
}

export function NameDialog({ naming, onClose }: { naming: Naming | null; onClose: () => void }) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={naming !== null}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
    >
      <Modal className="modal">
        <Dialog className="dialog">{naming !== null && <ViewForm naming={naming} onClose={onClose} />}</Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function ViewForm({ naming, onClose }: { naming: Naming; onClose: () => void }) {
  const [isDefault, setDefault] = useState(naming.isDefault)
  const [withColumns, setWithColumns] = useState(naming.withColumns)
  return (
    <NameForm
      title={naming.title}
      act={naming.act}
      name={naming.name}
      clean={(name) => name.trim()}
      onName={(name) => naming.onName({ name, isDefault, withColumns })}
      onClose={onClose}
    >
      <label className="check">
        <input type="checkbox" checked={isDefault} onChange={(event) => setDefault(event.target.checked)} />
        Default view
      </label>
      <label className="check">
        <input type="checkbox" checked={withColumns} onChange={(event) => setWithColumns(event.target.checked)} />
        Include columns
      </label>
    </NameForm>
  )
}
