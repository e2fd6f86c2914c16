import { FileUp } from 'lucide-react'
import { Button, FileTrigger } from 'react-aria-components'

interface Props {
  /** Nothing is taken meanwhile. */
  busy?: boolean
  onText: (text: string) => void
  onFile: (file: File) => void
}

/** Takes lines that are pasted. The text is shown in no field, because it may contain secrets. */
export function PasteField({ busy = false, onText }: Pick<Props, 'busy' | 'onText'>) {
  return (
    <textarea
      className="input paste"
      aria-label="Paste the lines here"
      placeholder="Paste the lines here (Ctrl V)"
      rows={4}
      readOnly
      // Never disabled, because it has the focus and handles Escape.
      aria-disabled={busy}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
      autoFocus
      onPaste={(event) => {
        event.preventDefault()
        if (!busy) onText(event.clipboardData.getData('text/plain'))
      }}
    />
  )
}

/** Opens a CSV file. */
export function FileButton({ busy = false, onFile }: Pick<Props, 'busy' | 'onFile'>) {
  return (
    <FileTrigger
      acceptedFileTypes={['.csv', '.tsv', '.txt', 'text/csv']}
      onSelect={(files) => files?.[0] !== undefined && onFile(files[0])}
    >
      <Button className="button" isPending={busy}>
        <FileUp size={14} aria-hidden />
        Choose a file
      </Button>
    </FileTrigger>
  )
}
