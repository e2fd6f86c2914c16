import { useMemo, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ActionRequest } from '../../../src-shared/model/jobs.ts'
import { problemOf, textOfFile } from '../../lib/list-text.ts'
import { CopyButton } from '../../lib/ui/buttons/copy-button.tsx'
import { FileButton, PasteField } from '../../lib/ui/list-source.tsx'
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
    const problem = problemOf(pasted, maxText)
    if (problem !== null) return fail(problem)
    setFault(null)
    setText(pasted)
  }
  async function read(file: File) {
    const found = await textOfFile(file, maxText)
    if ('problem' in found) fail(found.problem)
    else take(found.text)
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
      <PasteField onText={onText} />
      <FileButton onFile={onFile} />
    </>
  )
}
