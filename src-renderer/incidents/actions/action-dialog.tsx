import type { ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useSettings } from '../../settings/use-settings.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { many } from '../../lib/format/numbers.ts'
import type { Incidents, Subject } from '../incidents.ts'
import { titleText } from '../../lib/format/messages.ts'
import { startText, placeText } from '../format.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The properties of a dialog for an action on incidents. */
export interface ActionDialogProps {
  incidents: Incidents
  subjects: readonly Subject[]
  onDone: () => void
}

export function ActionDialog({ onDone, children }: { onDone: () => void; children: ReactNode }) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()} isDismissable>
      <Modal className="modal">
        <Dialog className="dialog">{children}</Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The titles of the action's incidents. */
export function Subjects({ subjects }: { subjects: readonly Subject[] }) {
  return (
    <ul className="subjects">
      {subjects.slice(0, 4).map((subject) => (
        <SubjectLine key={subject.id} subject={subject} />
      ))}
      {subjects.length > 4 && <li className="muted-text">and {many(subjects.length - 4, 'more', 'more')}</li>}
    </ul>
  )
}

function SubjectLine({ subject }: { subject: Subject }) {
  const { times } = useSettings()
  const title = useTickedText((now) => titleText(subject.message, now, times))
  const begin = useTickedText((now) => startText(subject, now, times))
  return (
    <li>
      <Isolated>{title}</Isolated>
      <span className="muted-text">
        <Isolated>{placeText(subject)}</Isolated>, {subject.since === null ? begin : `since ${begin}`}
      </span>
    </li>
  )
}
