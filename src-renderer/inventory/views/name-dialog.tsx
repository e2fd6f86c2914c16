import { useState } from 'react'
import { Button, Dialog, Heading, Input, Label, Modal, ModalOverlay, TextField } from 'react-aria-components'

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
        <Dialog className="dialog">{naming !== null && <NameForm naming={naming} onClose={onClose} />}</Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function NameForm({ naming, onClose }: { naming: Naming; onClose: () => void }) {
  const [name, setName] = useState(naming.name)
  const [isDefault, setDefault] = useState(naming.isDefault)
  const [withColumns, setWithColumns] = useState(naming.withColumns)
  const good = name.trim() !== ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!good) return
        naming.onName({ name: name.trim(), isDefault, withColumns })
        onClose()
      }}
    >
      <Heading slot="title">{naming.title}</Heading>
      <TextField
        className="field"
        value={name}
        onChange={setName}
        maxLength={200}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one field of a dialog that was just asked for
        autoFocus
        onFocus={(event) => event.target instanceof HTMLInputElement && event.target.select()}
      >
        <Label>Name</Label>
        <Input className="input" autoComplete="off" />
      </TextField>
      <label className="check">
        <input type="checkbox" checked={isDefault} onChange={(event) => setDefault(event.target.checked)} />
        Default view
      </label>
      <label className="check">
        <input type="checkbox" checked={withColumns} onChange={(event) => setWithColumns(event.target.checked)} />
        Include columns
      </label>
      <div className="dialog-actions">
        <Button className="button" onPress={onClose}>
          Cancel
        </Button>
        <Button className="button primary" type="submit" isDisabled={!good}>
          {naming.act}
        </Button>
      </div>
    </form>
  )
}
