import { useState } from 'react'
import { Button, Label, Radio, RadioGroup, TextArea, TextField } from 'react-aria-components'
import { maxHandoverNote, type TeamHandover } from '../../../src-shared/model/handovers.ts'
import { isolated } from '../../../src-shared/text/direction.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { faultMessage } from '../actions/actions.ts'
import type { Incidents } from '../incidents.ts'
import { assigneesOf, none } from './assign.tsx'
import { acceptedText, givenText } from './handover-words.ts'

interface Props {
  incidents: Incidents
  /** False while the period cannot be read. */
  isReady: boolean
  /** Returns the start of the period; null while it cannot be read. */
  from: () => number | null
  onDone: () => void
}

/** Hands the shift over to a member of the team. */
export function HandOver({ incidents: { team, actions }, isReady, from: fromNow, onDone }: Props) {
  const { session, ticker } = useAppContext()
  const members = useStore(team.state, (state) => state?.members ?? none)
  const [to, setTo] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const others = assigneesOf(members).filter(({ isSelf }) => !isSelf)

  async function give() {
    const from = fromNow()
    if (to === null || from === null || isBusy) return
    setBusy(true)
    setFailed('')
    const answer = await session.pipe.call('handover.give', { to, note, from, until: ticker.now() })
    setBusy(false)
    if (!answer.ok) return setFailed(faultMessage(answer.fault))
    actions.showMessage(`Handed over to ${isolated(to)}.`)
    onDone()
  }

  if (others.length === 0) return <p className="hint">Nobody else is in the team to hand over to.</p>
  return (
    <section className="hand-over" aria-label="Hand over in the team">
      <RadioGroup className="assignees" value={to} onChange={setTo}>
        <Label>Hand over to</Label>
        {others.map(({ operator, isHere }) => (
          <Radio key={operator} className="assignee" value={operator}>
            <NameText name={operator} />
            {!isHere && <span className="muted-text">away</span>}
          </Radio>
        ))}
      </RadioGroup>
      <TextField className="field" value={note} onChange={setNote} maxLength={maxHandoverNote}>
        <Label>Note (optional)</Label>
        <TextArea className="input" rows={2} />
      </TextField>
      <p className="field-error" role="alert">
        {failed}
      </p>
      <Button className="button primary" isDisabled={!isReady || to === null || isBusy} onPress={() => void give()}>
        Hand over
      </Button>
    </section>
  )
}

/** Most handovers that the dialog lists. */
const maxListed = 5

/** The last handovers of the team, and whether they were accepted. */
export function LastHandovers({ incidents }: { incidents: Incidents }) {
  const handovers = useStore(incidents.team.handovers)
  if (handovers.length === 0) return null
  return (
    <section className="last-handovers" aria-labelledby="last-handovers">
      <h3 id="last-handovers">Last handovers</h3>
      <ul>
        {handovers.slice(0, maxListed).map((handover) => (
          <HandoverLine key={handover.id} incidents={incidents} handover={handover} />
        ))}
      </ul>
    </section>
  )
}

function HandoverLine({ incidents: { team, asked }, handover }: { incidents: Incidents; handover: TeamHandover }) {
  const { times } = useSettings()
  const self = useStore(team.state, (state) => state?.operator ?? null)
  const given = useTickedText((now) => givenText(handover, self, now, times))
  const accepted = useTickedText((now) => acceptedText(handover, now, times))
  return (
    <li>
      <span>{given}</span>
      <span className="muted-text">{accepted}</span>
      <Button
        className="button"
        aria-label={`Read: ${given}`}
        onPress={() => asked.set({ what: 'handed over', id: handover.id })}
      >
        Read
      </Button>
    </li>
  )
}
