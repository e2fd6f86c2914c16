import { Undo2, X } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import { explain, type Fault } from '../../src-shared/model/fault.ts'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { IconButton } from '../lib/ui/buttons/icon-button.tsx'
import { inputText } from '../lib/format/input.ts'
import { NoteDialog } from './notes/note-dialog.tsx'
import { TagsDialog } from './notes/tags-dialog.tsx'
import { ThresholdsDialog } from './thresholds/thresholds-dialog.tsx'
import { MaintenanceDialog } from './maintenance/maintenance-dialog.tsx'
import { ZoneDialog } from './zones/zone-dialog.tsx'

/** Time (ms) for which the message about an action stays, unless it has the focus. */
const messageStays = 12_000

/** The open policy dialog, and the message about the last action with its undo. */
export function PolicyDialogs({ coreLost }: { coreLost: boolean }) {
  const { policyEditor } = useAppContext()
  const asked = useStore(policyEditor.asked)
  const shared = { coreLost, onDone: () => policyEditor.asked.set({ what: 'none' }) }
  return (
    <>
      {asked.what === 'window' && <MaintenanceDialog asked={asked} {...shared} />}
      {asked.what === 'zone' && <ZoneDialog place={asked.place} {...shared} />}
      {asked.what === 'thresholds' && <ThresholdsDialog place={asked.place} {...shared} />}
      {asked.what === 'note' && <NoteDialog key={asked.node.id} node={asked.node} {...shared} />}
      {asked.what === 'tags' && <TagsDialog targets={asked.targets} {...shared} />}
      <Toast coreLost={coreLost} />
    </>
  )
}

function Toast({ coreLost }: { coreLost: boolean }) {
  const { policyEditor } = useAppContext()
  const { words, failure, undo } = useStore(policyEditor.acted)
  const text = failure === null ? words : faultMessage(failure)
  useEffect(() => {
    if (failure !== null || words === '') return undefined
    const end = () => {
      // `undo` identifies the action, so that two actions with the same message have their own time.
      if (policyEditor.acted.get().undo !== undo) return
      if (document.getElementById('maintenance-text')?.contains(document.activeElement) === true)
        timer = setTimeout(end, messageStays)
      else policyEditor.forget()
    }
    let timer = setTimeout(end, messageStays)
    return () => clearTimeout(timer)
  }, [policyEditor, failure, words, undo])
  return (
    <div className="policy-text" id="maintenance-text">
      <div className="action-text" role="status" data-shown={text !== ''} data-failed={failure !== null}>
        {text}
        {words !== '' && undo !== null && (
          <Button className="button" isDisabled={coreLost} onPress={() => void policyEditor.undo()}>
            <Undo2 size={14} aria-hidden />
            Undo
          </Button>
        )}
        {failure !== null && (
          <IconButton label="Dismiss" onPress={policyEditor.forget}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  )
}

function faultMessage(fault: Fault): string {
  if (fault.kind === 'input' && fault.detail !== '') return inputText(fault.detail)
  const { title, advice } = explain(fault)
  return `${title} ${advice}`
}
