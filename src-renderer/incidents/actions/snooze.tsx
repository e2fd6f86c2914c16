import { useState } from 'react'
import { Button, Heading, Input, Label, TextField } from 'react-aria-components'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { many } from '../../lib/format/numbers.ts'
import { shortTime } from '../../lib/format/time.ts'
import { ActionDialog, Subjects, type ActionDialogProps } from './action-dialog.tsx'
import { Others } from '../team/others.tsx'
import { snoozeChoices, untilOf } from './until.ts'

/** Asks for the duration of a snooze. */
export function SnoozeDialog(props: ActionDialogProps) {
  return (
    <ActionDialog onDone={props.onDone}>
      <Form {...props} />
    </ActionDialog>
  )
}

function Form({ incidents, subjects, onDone }: ActionDialogProps) {
  const { ticker } = useAppContext()
  const { times } = useSettings()
  const [typed, setTyped] = useState('')
  const [asked] = useState(incidents.actions.state.get)
  const failed = useStore(incidents.actions.state, (state) => (state.failed && state !== asked ? state.words : ''))
  const untilText = useTickedText((now) => describeUntil(typed, untilOf(typed, now, times), now, times))
  const [choices] = useState(() => snoozeChoices(ticker.now(), times))

  async function snooze(until: number | null) {
    if (
      !(await incidents.actions.snooze(
        subjects.map(({ id }) => id),
        until,
      ))
    )
      return
    incidents.selection.clear()
    onDone()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const until = untilOf(typed, ticker.now(), times)
        if (until !== null) void snooze(until)
      }}
    >
      <Heading slot="title">
        Snooze {subjects.length === 1 ? 'the incident' : many(subjects.length, 'incident')}
      </Heading>
      <Subjects subjects={subjects} />
      <Others incidents={incidents} subjects={subjects} />
      <div className="snooze-choices" role="group" aria-label="How long">
        {choices.map(({ word, until }, index) => (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first choice of a dialog that was just asked for
          <Button key={word} className="button" autoFocus={index === 0} onPress={() => void snooze(until)}>
            {word}
          </Button>
        ))}
      </div>
      <div className="snooze-typed">
        <TextField
          className="field"
          value={typed}
          onChange={setTyped}
          maxLength={40}
          isInvalid={typed.trim() !== '' && !untilText.startsWith('Until')}
        >
          <Label>Other time or duration</Label>
          <Input className="input" autoComplete="off" placeholder="06:30 or 2 h 30 min" />
        </TextField>
        <Button className="button primary" type="submit" isDisabled={!untilText.startsWith('Until')}>
          Snooze
        </Button>
      </div>
      <p className="hint" role="status">
        {untilText === '' ? 'Alerts again if still down.' : untilText}
      </p>
      <p className="field-error" role="alert">
        {failed}
      </p>
      <div className="dialog-actions">
        <Button className="button" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function describeUntil(typed: string, until: number | null, now: number, times: 'local' | 'utc'): string {
  if (typed.trim() === '') return ''
  return until === null
    ? 'Enter a time of day, as 06:30, or a duration up to 30 days, as 45 min, 2 h or 1 d.'
    : `Until ${shortTime(until, now, times)}. Alerts again if still down.`
}
