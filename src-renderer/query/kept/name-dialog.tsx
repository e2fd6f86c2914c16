import { useState } from 'react'
import { Dialog, Input, Label, Modal, ModalOverlay, TextField } from 'react-aria-components'
import { useStore } from '../../lib/store.ts'
import { NameForm } from '../../lib/ui/name-form.tsx'
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
        <Dialog className="dialog">{naming !== null && <OperationForm naming={naming} onClose={onClose} />}</Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Returns a name as it can stand in one line of a file. */
const inLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

function OperationForm({ naming, onClose }: { naming: Naming; onClose: () => void }) {
  const [folder, setFolder] = useState(naming.folder)
  const { all } = useStore(operations)
  const folders = [...new Set((all ?? []).map((each) => each.folder))].filter((each) => each !== '').toSorted()
  return (
    <NameForm
      title={naming.title}
      act={naming.act}
      name={naming.name}
      clean={inLine}
      onName={(name) => naming.onName({ name, folder: inLine(folder) })}
      onClose={onClose}
    >
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
    </NameForm>
  )
}
