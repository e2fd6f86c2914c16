import { useState } from 'react'
import { Button, Heading, Label, Radio, RadioGroup } from 'react-aria-components'
import type { TeamMember } from '../../../src-shared/model/team.ts'
import { many } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { ActionDialog, Subjects, type ActionDialogProps } from '../actions/action-dialog.tsx'
import { Others } from './others.tsx'

/** Asks which member of the team incidents are assigned to. */
export function AssignDialog(props: ActionDialogProps) {
  return (
    <ActionDialog onDone={props.onDone}>
      <Form {...props} />
    </ActionDialog>
  )
}

/** The members of no team. */
export const none: readonly TeamMember[] = []

function Form({ incidents, subjects, onDone }: ActionDialogProps) {
  const members = useStore(incidents.team.state, (team) => team?.members ?? none)
  const [to, setTo] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [asked] = useState(incidents.actions.state.get)
  const failed = useStore(incidents.actions.state, (state) => (state.failed && state !== asked ? state.words : ''))

  async function assign() {
    if (to === null || isBusy) return
    setBusy(true)
    const done = await incidents.actions.assign(
      subjects.map(({ id }) => id),
      to,
    )
    setBusy(false)
    if (!done) return
    incidents.selection.clear()
    onDone()
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void assign()
      }}
    >
      <Heading slot="title">
        Assign {subjects.length === 1 ? 'the incident' : many(subjects.length, 'incident')}
      </Heading>
      <Subjects subjects={subjects} />
      <RadioGroup className="assignees" value={to} onChange={setTo}>
        <Label>To</Label>
        {assigneesOf(members).map(({ operator, isHere, isSelf }, index) => (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one field of a dialog that was just asked for
          <Radio key={operator} className="assignee" value={operator} autoFocus={index === 0}>
            <NameText name={operator} />
            {isSelf && <span className="muted-text">you</span>}
            {!isHere && <span className="muted-text">away</span>}
          </Radio>
        ))}
      </RadioGroup>
      <p className="hint">It alerts as before. Escalations count it as taken.</p>
      <Others incidents={incidents} subjects={subjects} />
      <p className="field-error" role="alert">
        {failed}
      </p>
      <div className="dialog-actions">
        <Button className="button" onPress={onDone}>
          Cancel
        </Button>
        <Button className="button primary" type="submit" isDisabled={to === null || isBusy}>
          Assign
        </Button>
      </div>
    </form>
  )
}

const collator = new Intl.Collator('en', { numeric: true })

/** Returns whom incidents can be assigned to, each name once: those who are here first. */
export function assigneesOf(members: readonly TeamMember[]): Pick<TeamMember, 'operator' | 'isHere' | 'isSelf'>[] {
  const byName = Map.groupBy(members, ({ operator }) => operator)
  return [...byName]
    .map(([operator, same]) => ({
      operator,
      isHere: same.some(({ isHere, isSelf }) => isHere || isSelf),
      isSelf: same.some(({ isSelf }) => isSelf),
    }))
    .toSorted(
      (one, other) => Number(other.isHere) - Number(one.isHere) || collator.compare(one.operator, other.operator),
    )
}
