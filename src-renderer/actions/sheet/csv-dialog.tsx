import { FileUp } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button, FileTrigger } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ActionRequest } from '../../../src-shared/model/jobs.ts'
import { decoded } from '../../connections/import/import-text.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { CopyButton } from '../../lib/ui/buttons/copy-button.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { ActionFrame } from './devices-dialog.tsx'
import { SheetView } from './sheet-view.tsx'
import { useSheet } from './use-sheet.ts'

/** The longest text of one action (contract: jobs.prepare). */
const maxText = 4_000_000

const template = 'id,name,site,room\n'

/** Renames and moves devices by a CSV file: it is pasted or chosen, and shown line by line before anything is sent. */
export function CsvDialog({ coreLost, onDone }: { coreLost: boolean; onDone: () => void }) {
  const [text, setText] = useState<string | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const request = useMemo<ActionRequest | null>(() => (text === null ? null : { kind: 'update', text }), [text])
  const prepared = useSheet(request)
  const fail = (detail: string) => setFault({ kind: 'input', detail })
  function take(pasted: string) {
    if (pasted.trim() === '') return fail('There is no text in it.')
    if (pasted.length > maxText) return fail(`It is longer than ${numberText(maxText)} characters. Import it in parts.`)
    setFault(null)
    setText(pasted)
  }
  async function read(file: File) {
    if (file.size > 2 * maxText) return fail('The file is too large. Import it in parts.')
    const bytes = await file.arrayBuffer().catch(() => null)
    if (bytes === null) return fail('The file could not be read.')
    take(decoded(new Uint8Array(bytes)))
  }
  const another = (
    <Button className="button" onPress={() => setText(null)}>
      Take another list
    </Button>
  )
  return (
    <ActionFrame title="Change devices from a CSV file" onDone={onDone}>
      <SheetView
        prepared={prepared}
        coreLost={coreLost}
        waiting={text === null ? '' : 'Looking through the lines…'}
        more={text === null ? undefined : another}
        onDone={onDone}
      >
        {text === null && <Source onText={take} onFile={(file) => void read(file)} />}
        <FaultNote fault={fault} />
      </SheetView>
    </ActionFrame>
  )
}

function Source({ onText, onFile }: { onText: (text: string) => void; onFile: (file: File) => void }) {
  return (
    <>
      <p>
        A CSV file, or lines copied from a spreadsheet, with a head: <code>id</code>, and <code>name</code>,{' '}
        <code>site</code> or <code>room</code>. Sites and rooms by id, or by a name that is unique in the tenant. An
        empty cell changes nothing. <CopyButton text={template} what="the head" />
      </p>
      <textarea
        className="input paste"
        aria-label="Paste the lines here"
        placeholder="Paste the lines here (Ctrl V)"
        rows={4}
        readOnly
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
        autoFocus
        onPaste={(event) => {
          event.preventDefault()
          onText(event.clipboardData.getData('text/plain'))
        }}
      />
      <FileTrigger
        acceptedFileTypes={['.csv', '.tsv', '.txt', 'text/csv']}
        onSelect={(files) => files?.[0] !== undefined && onFile(files[0])}
      >
        <Button className="button">
          <FileUp size={14} aria-hidden />
          Choose a file
        </Button>
      </FileTrigger>
    </>
  )
}
