import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useStore } from '../../lib/store.ts'
import { Question } from '../../lib/ui/question.tsx'
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
    <Question
      title={subjects.length === 1 ? one : several}
      keep="Cancel"
      onKeep={onDone}
      isBusy={isBusy}
      act={
        <Button className="button primary" isDisabled={isBusy} onPress={() => void run()}>
          {button}
        </Button>
      }
    >
      <Subjects subjects={subjects} />
      <Others incidents={incidents} subjects={subjects} />
      <p className="field-error" role="alert">
        {failed}
      </p>
    </Question>
  )
}
