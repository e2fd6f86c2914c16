import { useState } from 'react'
import { Button, Dialog, Heading, Input, Label, Modal, ModalOverlay, TextField } from 'react-aria-components'
import { useStore } from '../../lib/store.ts'
import { operations } from './operations.ts'

export interface Naming {
  title: string
  act: string
  name: string
  folder: string
  onName: (named: { name: string; folder: string }) => void
}

/** Asks for the name and the folder of an operation. */
export function OperationDialog({ naming, onClose }: { naming: Naming | null; onClose: () => void }) {
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

/** Returns a name as it can stand in one line of a file. */
const inLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

function NameForm({ naming, onClose }: { naming: Naming; onClose: () => void }) {
  const [name, setName] = useState(naming.name)
  const [folder, setFolder] = useState(naming.folder)
  const { all } = useStore(operations)
  const folders = [...new Set((all ?? []).map((each) => each.folder))].filter((each) => each !== '').toSorted()
  const isGood = inLine(name) !== ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isGood) return
        naming.onName({ name: inLine(name), folder: inLine(folder) })
        onClose()
      }}
    >
      <Heading slot="title">{naming.title}</Heading>
      <TextField
        className="field"
        value={name}
        onChange={setName}
        maxLength={200}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that was just asked for
        autoFocus
        onFocus={(event) => event.target instanceof HTMLInputElement && event.target.select()}
      >
        <Label>Name</Label>
        <Input className="input" autoComplete="off" />
      </TextField>
      <TextField className="field" value={folder} onChange={setFolder} maxLength={200}>
        <Label>Folder (optional)</Label>
        <Input className="input" autoComplete="off" list="query-folders" />
      </TextField>
      <datalist id="query-folders">
        {folders.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </datalist>
      <div className="dialog-actions">
        <Button className="button" onPress={onClose}>
          Cancel
        </Button>
        <Button className="button primary" type="submit" isDisabled={!isGood}>
          {naming.act}
        </Button>
      </div>
    </form>
  )
}
