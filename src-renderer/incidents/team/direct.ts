import { assertNever } from '../../../src-shared/model/fault.ts'
import type { DirectAct, Incidents, Subject } from '../incidents.ts'
import { isSilencedByAnother, isTakenByAnother } from './words.ts'

/**
 * Does what needs no dialog. Where another member of the team takes care of one of the incidents, or would lose their
 * acknowledgement or snooze, it asks first.
 */
export function actOn(incidents: Incidents, act: DirectAct, subjects: readonly Subject[]): void {
  const { actions, asked, team } = incidents
  const self = team.state.get()?.operator ?? null
  if (subjects.length === 0) return actions.showMessage('Choose an incident that is not closed.')
  const left = act.do === 'take' ? subjects.filter(({ assigned }) => assigned?.to !== self) : subjects
  if (left.length === 0) return actions.showMessage('You have taken it already.')
  const isOfAnother = (one: Subject) =>
    self !== null && (isTakenByAnother(one, self) || (act.do === 'unacknowledge' && isSilencedByAnother(one, self)))
  if (left.some(isOfAnother)) return asked.set({ what: 'question', act, subjects: left })
  void perform(incidents, act, left)
}

/** Does it without a question. Resolves with whether it succeeded. */
export async function perform(incidents: Incidents, act: DirectAct, subjects: readonly Subject[]): Promise<boolean> {
  const done = await performed(
    incidents,
    act,
    subjects.map(({ id }) => id),
  )
  if (done) incidents.selection.clear()
  return done
}

function performed({ actions, team }: Incidents, act: DirectAct, ids: readonly string[]): Promise<boolean> {
  switch (act.do) {
    case 'take':
      return actions.take(ids, team.state.get()?.operator ?? '')
    case 'give back':
      return actions.assign(ids, null)
    case 'unacknowledge':
      return actions.release(ids)
    case 'snooze':
      return actions.snooze(ids, act.until)
    default:
      return assertNever(act)
  }
}
