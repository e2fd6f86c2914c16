import { useRef, useState } from 'react'
import { Button, Heading, Input, Label, TextField } from 'react-aria-components'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { many } from '../../lib/format/numbers.ts'
import { ActionDialog, Subjects, type ActionDialogProps } from './action-dialog.tsx'
import type { Incidents } from '../incidents.ts'
import { offeredReasons } from './reasons.ts'
import { Others } from '../team/others.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** Asks for a reason and suggests earlier ones. */
export function AcknowledgeDialog(props: ActionDialogProps) {
  return (
    <ActionDialog onDone={props.onDone}>
      <Form {...props} />
    </ActionDialog>
  )
}

function Form({ incidents, subjects, onDone }: ActionDialogProps) {
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const failed = useStore(incidents.actions.state, ({ failed, words }) => (failed ? words : ''))
  const field = useRef<HTMLInputElement>(null)
  const reasons = useReasons(incidents)
  const good = reason.trim() !== '' && !busy
  const [asked] = useState(incidents.actions.state.get)

  async function acknowledge() {
    setBusy(true)
    const done = await incidents.actions.acknowledge(
      subjects.map(({ id }) => id),
      reason,
    )
    setBusy(false)
    if (!done) return
    incidents.selection.clear()
    onDone()
  }

  const take = (offered: string) => {
    setReason(offered)
    field.current?.focus()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (good) void acknowledge()
      }}
    >
      <Heading slot="title">
        Acknowledge {subjects.length === 1 ? 'the incident' : many(subjects.length, 'incident')}
      </Heading>
      <Subjects subjects={subjects} />
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the one field of a dialog that was just asked for */}
      <TextField className="field" value={reason} onChange={setReason} maxLength={500} autoFocus>
        <Label>Reason</Label>
        <Input ref={field} className="input" autoComplete="off" placeholder="Note for the next shift" />
      </TextField>
      <div className="reasons" role="group" aria-label="Reasons to choose from">
        {reasons.map((offered) => (
          <Button key={offered} className="reason" onPress={() => take(offered)}>
            <Isolated className="clip">{offered}</Isolated>
          </Button>
        ))}
      </div>
      <p className="hint">No further alerts while it grows in its place. Notifies on recovery.</p>
      <Others incidents={incidents} subjects={subjects} />
      <p className="field-error" role="alert">
        {incidents.actions.state.get() === asked ? '' : failed}
      </p>
      <div className="dialog-actions">
        <Button className="button" onPress={onDone}>
          Cancel
        </Button>
        <Button className="button primary" type="submit" isDisabled={!good}>
          Acknowledge
        </Button>
      </div>
    </form>
  )
}

/** Returns the reasons that were given in this window, then those of acknowledged incidents, then common ones. */
function useReasons({ actions }: Incidents): readonly string[] {
  const { session } = useAppContext()
  const own = useStore(actions.reasons)
  const { value: answer } = useCall('', () =>
    session.pipe.call('incidents.list', { state: 'acknowledged', text: '', offset: 0, limit: 100 }),
  )
  return offeredReasons(own, answer?.ok ? answer.value.rows : [])
}
