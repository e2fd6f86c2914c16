import { type FormEvent, useId, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { type Fault, faultSentence } from '../../../src-shared/model/fault.ts'
import type { Targets } from '../../../src-shared/model/jobs.ts'
import { tagsOf } from '../../../src-shared/model/notes.ts'
import { sizeReason } from '../../actions/offers.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { useLast } from '../../lib/hooks/use-last.ts'
import { LeaveDialog, useLeaving } from '../../lib/ui/discard-dialog.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { spareHint, TagField, tagProblem } from './tag-field.tsx'

interface Props {
  targets: Targets
  coreLost: boolean
  onDone: () => void
}

/** The tags of several devices: those to add, and those to remove. The devices are those that were known when it opened. */
export function TagsDialog({ targets, coreLost, onDone }: Props) {
  const { session } = useAppContext()
  const { value, fault } = useLast('tags of devices', () => session.pipe.call('notes.tags', { of: targets }))
  const leaving = useLeaving(() => document.querySelector('.note-form[data-changed="true"]') !== null, onDone)
  const problem = value === null ? '' : value.total === 0 ? 'These devices are gone.' : tooMany(value.total)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.leave()}>
      <Modal className="modal">
        <Dialog className="dialog">
          <Heading slot="title">Tags{value !== null && ` of ${many(value.total, 'device')}`}</Heading>
          {value === null || problem !== '' ? (
            <>
              <p className="hint" role={value === null && fault === null ? 'status' : 'alert'}>
                {fault !== null ? faultSentence(fault) : value === null ? 'Loading…' : problem}
              </p>
              <div className="dialog-actions">
                <Button className="button" onPress={onDone}>
                  Close
                </Button>
              </div>
            </>
          ) : (
            <TagsForm selected={value} coreLost={coreLost} onDone={onDone} onCancel={leaving.leave} />
          )}
          {leaving.asking && <LeaveDialog what="The tags have not been saved." leaving={leaving} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

const tooMany = (count: number): string => {
  const reason = sizeReason({ count })
  return reason === '' ? '' : `${reason} Everything in a tenant, site or room has the tags of that place.`
}

interface FormProps extends Pick<Props, 'coreLost' | 'onDone'> {
  selected: CallOutput<'notes.tags'>
  onCancel: () => void
}

function TagsForm({ selected: { keys, tags }, coreLost, onDone, onCancel }: FormProps) {
  const { policyEditor } = useAppContext()
  const [text, setText] = useState('')
  const [remove, setRemove] = useState<ReadonlySet<string>>(new Set())
  const [fault, setFault] = useState<Fault | null>(null)
  const id = useId()
  const add = tagsOf(text)
  const problem = tagProblem(add)
  const isChanged = add.length > 0 || remove.size > 0
  async function save(event: FormEvent) {
    event.preventDefault()
    if (problem !== '') return document.getElementById(`${id}-add`)?.focus()
    const failure = isChanged ? await policyEditor.saveTags({ keys, add, remove: [...remove] }) : null
    if (failure === null) onDone()
    else setFault(failure)
  }
  const mark = (tag: string, marked: boolean) => {
    const next = new Set(remove)
    if (marked) next.add(tag)
    else next.delete(tag)
    setRemove(next)
  }
  return (
    <form className="form note-form" noValidate data-changed={isChanged} onSubmit={(event) => void save(event)}>
      <TagField id={`${id}-add`} label="Add tags" value={text} problem={problem} onChange={setText} takesFocus>
        Commas separate tags. {spareHint}
      </TagField>
      {tags.length > 0 && (
        <fieldset className="form-field tags-present">
          <legend>Remove tags</legend>
          {tags.map(({ tag, count }) => (
            <label key={tag} className="check">
              <input type="checkbox" checked={remove.has(tag)} onChange={({ target }) => mark(tag, target.checked)} />
              <span>
                <Isolated>{tag}</Isolated> on {many(count, 'device')}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <FaultNote fault={fault} />
      <div className="dialog-actions">
        <span className="spring" />
        <Button className="button" onPress={onCancel}>
          Cancel
        </Button>
        <Button className="button primary" type="submit" isDisabled={coreLost || !isChanged}>
          Save
        </Button>
      </div>
    </form>
  )
}
