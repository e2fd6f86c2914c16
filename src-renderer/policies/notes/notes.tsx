import { Phone, StickyNote } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Note } from '../../../src-shared/contract/note-calls.ts'
import { faultSentence } from '../../../src-shared/model/fault.ts'
import { isEmptyNote, type NoteContent } from '../../../src-shared/model/notes.ts'
import { useAppContext } from '../../lib/context.ts'
import { afterChanges } from '../../lib/hooks/use-call.ts'
import { type Last, useLast } from '../../lib/hooks/use-last.ts'
import { CopyButton } from '../../lib/ui/buttons/copy-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Age } from '../../lib/ui/moment.tsx'
import type { NamedNode } from '../policy-editor.ts'

export type NotesOf = CallOutput<'notes.of'>

/** Shortest time (ms) between two readings of notes while the fleet changes. */
const readEvery = 500

/** Returns the notes of a device or a place, again after each change of the fleet. */
export function useNotes(node: string): Last<NotesOf> {
  const { session } = useAppContext()
  return useLast(node, () => session.pipe.call('notes.of', { node }), afterChanges(session, readEvery))
}

/** The note of a device or a place, and those of the places that it is in. */
export function Notes({ node, coreLost }: { node: NamedNode; coreLost: boolean }) {
  const { policyEditor } = useAppContext()
  const { value, fault } = useNotes(node.id)
  if (value === null) return <p className="muted-text">{fault === null ? 'Loading…' : faultSentence(fault)}</p>
  const { own, above, takes } = value
  return (
    <div className="notes">
      {own === null ? <p className="muted-text">No note and no tags.</p> : <NoteBody note={own} />}
      {takes && (
        <Button className="button subtle" isDisabled={coreLost} onPress={() => policyEditor.askNote(node)}>
          <StickyNote size={14} aria-hidden />
          {own === null ? 'Add a note or tags…' : 'Edit the note…'}
        </Button>
      )}
      <InheritedNotes notes={above} />
    </div>
  )
}

/** What places above tell. */
export function InheritedNotes({ notes }: { notes: readonly Note[] }) {
  const told = notes.filter((note) => !isEmptyNote(note))
  if (told.length === 0) return null
  return (
    <ul className="notes-above">
      {told.map((note) => (
        <li key={note.node}>
          <p className="notes-from">
            From {note.kind} <Isolated>{note.name}</Isolated>
          </p>
          <NoteBody note={note} />
        </li>
      ))}
    </ul>
  )
}

function NoteBody({ note }: { note: NoteContent & Pick<Note, 'at' | 'by'> }) {
  const { tags, contact, text, at, by } = note
  return (
    <div className="note">
      <Tags tags={tags} />
      {contact !== '' && (
        <p className="note-contact">
          <Phone size={13} role="img" aria-label="Contact" />
          <Isolated>{contact}</Isolated>
          <CopyButton text={contact} what="contact" />
        </p>
      )}
      {text !== '' && <Isolated className="note-text">{text}</Isolated>}
      <p className="note-age">
        {by === undefined ? (
          'Written '
        ) : (
          <>
            <Isolated>{by}</Isolated>,{' '}
          </>
        )}
        <Age at={at} />
      </p>
    </div>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul className="note-tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="note-tag">
          <Isolated className="clip">{tag}</Isolated>
        </li>
      ))}
    </ul>
  )
}
