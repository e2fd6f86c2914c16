import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useStore } from '../../lib/store.ts'
import { Subjects, type ActionDialogProps } from '../actions/action-dialog.tsx'
import type { DirectAct } from '../incidents.ts'
import { perform } from './direct.ts'
import { Others } from './others.tsx'

const titles: Record<DirectAct['do'], { one: string; several: string; button: string }> = {
  take: { one: 'Take it over?', several: 'Take them over?', button: 'Take' },
  'give back': { one: 'Give it back?', several: 'Give them back?', button: 'Give back' },
  unacknowledge: { one: 'Unacknowledge it?', several: 'Unacknowledge them?', button: 'Unacknowledge' },
  snooze: { one: 'Snooze it?', several: 'Snooze them?', button: 'Snooze' },
}

/** Asks before something is done to incidents that another member of the team takes care of. */
export function QuestionDialog({ incidents, act, subjects, onDone }: ActionDialogProps & { act: DirectAct }) {
  const [isBusy, setBusy] = useState(false)
  const [asked] = useState(incidents.actions.state.get)
  const failed = useStore(incidents.actions.state, (state) => (state.failed && state !== asked ? state.words : ''))
  const { one, several, button } = titles[act.do]
  const run = async () => {
    setBusy(true)
    const done = await perform(incidents, act, subjects)
    setBusy(false)
    if (done) onDone()
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && !isBusy && onDone()}>
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">{subjects.length === 1 ? one : several}</Heading>
          <Subjects subjects={subjects} />
          <Others incidents={incidents} subjects={subjects} />
          <p className="field-error" role="alert">
            {failed}
          </p>
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus isDisabled={isBusy} onPress={onDone}>
              Cancel
            </Button>
            <Button className="button primary" isDisabled={isBusy} onPress={() => void run()}>
              {button}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
