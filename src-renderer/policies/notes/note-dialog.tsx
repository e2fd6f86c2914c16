import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { type Fault, faultSentence } from '../../../src-shared/model/fault.ts'
import { noNote, type NoteContent, noteLimits, tagsOf } from '../../../src-shared/model/notes.ts'
import { useAppContext } from '../../lib/context.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { LeaveDialog, useLeaving } from '../../lib/ui/discard-dialog.tsx'
import type { NamedNode } from '../policy-editor.ts'
import { spareHint, TagField, tagProblem } from './tag-field.tsx'
import { InheritedNotes, type NotesOf, useNotes } from './notes.tsx'

interface Props {
  node: NamedNode
  coreLost: boolean
  onDone: () => void
}

/** The note of a device or a place: tags, contact and text. */
export function NoteDialog({ node, coreLost, onDone }: Props) {
  const { value, fault } = useNotes(node.id)
  const leaving = useLeaving(() => document.querySelector('.note-form[data-changed="true"]') !== null, onDone)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.leave()}>
      <Modal className="modal">
        <Dialog className="dialog">
          <Heading slot="title">
            Note on <Isolated>{node.name}</Isolated>
          </Heading>
          {value === null ? (
            <>
              <p className="hint" role="status">
                {fault === null ? 'Loading…' : faultSentence(fault)}
              </p>
              <div className="dialog-actions">
                <Button className="button" onPress={onDone}>
                  Cancel
                </Button>
              </div>
            </>
          ) : (
            <NoteForm node={node} notes={value} coreLost={coreLost} onDone={onDone} onCancel={leaving.leave} />
          )}
          {leaving.asking && <LeaveDialog what="The note has not been saved." leaving={leaving} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** A note as it is written; `tags` with commas between them. */
interface Draft {
  text: string
  contact: string
  tags: string
}
const emptyDraft: Draft = { text: '', contact: '', tags: '' }

const contentOf = ({ text, contact, tags }: Draft): NoteContent => ({
  text: text.trim(),
  contact: contact.trim(),
  tags: tagsOf(tags),
})

function NoteForm({ node, notes, coreLost, onDone, onCancel }: Props & { notes: NotesOf; onCancel: () => void }) {
  const { policyEditor } = useAppContext()
  const [first] = useState<Draft>(() => {
    const { text, contact, tags } = notes.own ?? noNote
    return { text, contact, tags: tags.join(', ') }
  })
  const [draft, setDraft] = useState(first)
  const [fault, setFault] = useState<Fault | null>(null)
  const id = useId()
  const content = contentOf(draft)
  const isChanged = JSON.stringify(content) !== JSON.stringify(contentOf(first))
  async function save(event?: FormEvent) {
    event?.preventDefault()
    if (tagProblem(content.tags) !== '') return document.getElementById(`${id}-tags`)?.focus()
    const failure = isChanged ? await policyEditor.saveNote(node, content) : null
    if (failure === null) onDone()
    else setFault(failure)
  }
  return (
    <form className="form note-form" noValidate data-changed={isChanged} onSubmit={(event) => void save(event)}>
      <NoteFields
        id={id}
        draft={draft}
        onChange={(part) => setDraft({ ...draft, ...part })}
        onSave={() => coreLost || void save()}
      />
      <InheritedNotes notes={notes.above} />
      <FaultNote fault={fault} />
      <div className="dialog-actions">
        <Button
          className="button"
          isDisabled={Object.values(draft).every((part) => part === '')}
          onPress={() => {
            setDraft(emptyDraft)
            document.getElementById(`${id}-text`)?.focus()
          }}
        >
          Clear all
        </Button>
        <span className="spring" />
        <Button className="button" onPress={onCancel}>
          Cancel
        </Button>
        <Button className="button primary" type="submit" isDisabled={coreLost}>
          Save
        </Button>
      </div>
    </form>
  )
}

interface FieldsProps {
  id: string
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  /** Called at Ctrl+Enter in the text. */
  onSave: () => void
}

function NoteFields({ id, draft: { text, contact, tags }, onChange, onSave }: FieldsProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSave()
  }
  return (
    <>
      <div className="form-field">
        <label htmlFor={`${id}-text`}>Note</label>
        <textarea
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that was just asked for
          autoFocus
          id={`${id}-text`}
          className="input"
          rows={5}
          maxLength={noteLimits.text}
          placeholder="For example where the key is, or what was agreed"
          value={text}
          onChange={({ target }) => onChange({ text: target.value })}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="form-field">
        <label htmlFor={`${id}-contact`}>Contact</label>
        <input
          id={`${id}-contact`}
          className="input"
          autoComplete="off"
          maxLength={noteLimits.contact}
          placeholder="Whom to call there"
          value={contact}
          onChange={({ target }) => onChange({ contact: target.value })}
        />
      </div>
      <TagField
        id={`${id}-tags`}
        label="Tags"
        value={tags}
        problem={tagProblem(tagsOf(tags))}
        onChange={(value) => onChange({ tags: value })}
      >
        Commas separate tags. Everything in a place has its tags. {spareHint}
      </TagField>
    </>
  )
}
