import { item, type Item } from '../../app/palette/item.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { titleText } from '../../lib/format/messages.ts'
import { many } from '../../lib/format/numbers.ts'
import { actOn } from '../team/direct.ts'
import { askFor } from './ask.ts'
import type { Incidents } from '../incidents.ts'
import { snoozeChoices } from './until.ts'
import { stateLabels } from '../format.ts'

interface Context {
  incidents: Incidents
  now: number
  times: 'local' | 'utc'
  toScreen: () => void
}

/** Shortens a title, because the name of the action needs the space. */
const short = (title: string) => (title.length > 40 ? `${title.slice(0, 39)}…` : title)

/**
 * Returns the palette's actions on incidents. They run on the incidents screen, where the operator sees their
 * incidents.
 */
export function incidentItems({ incidents, now, times, toScreen }: Context): readonly Item[] {
  const opened = incidents.detail.state.get().state === 'shown' && incidents.selection.state.get().size === 0
  const about = incidents.about(opened)
  const subject: Subject = {
    incidents,
    opened,
    about,
    hint:
      about.length === 1
        ? about.map(({ message }) => short(titleText(message, now, times))).join('')
        : many(about.length, 'incident'),
    inScreen: (run) => () => {
      toScreen()
      afterFrames(run)
    },
  }
  return [...responseItems(subject, now, times), ...teamItems(subject), ...copyItems(subject), ...listItems(subject)]
}

const group = 'Incidents'

/** The incidents of the actions. */
interface Subject {
  incidents: Incidents
  /** True when the detail shows the incident. */
  opened: boolean
  about: ReturnType<Incidents['about']>
  hint: string
  /** Returns a function that runs an action on the incidents screen after that is rendered. */
  inScreen: (run: () => void) => () => void
}

/** Returns the actions that acknowledge, snooze, unacknowledge and undo. */
function responseItems(
  { incidents, opened, about, hint, inScreen }: Subject,
  now: number,
  times: Context['times'],
): readonly Item[] {
  const reason = about.length === 0 ? 'Choose an incident first.' : ''
  const undo = incidents.actions.state.get().undo
  return [
    item({
      id: 'acknowledge',
      group,
      label: 'Acknowledge',
      keys: 'A',
      also: 'incident take on it reason',
      hint,
      reason,
      run: inScreen(() => askFor(incidents, 'acknowledge', opened)),
    }),
    item({
      id: 'snooze',
      group,
      label: 'Snooze for another time',
      keys: 'S',
      also: 'incident later until',
      hint,
      reason,
      run: inScreen(() => askFor(incidents, 'snooze', opened)),
    }),
    ...snoozeChoices(now, times).map(({ word, until }) =>
      item({
        id: `snooze ${word}`,
        group,
        label: word.startsWith('Until') ? `Snooze ${word.toLowerCase()}` : `Snooze for ${word}`,
        also: 'incident later',
        hint,
        reason,
        run: inScreen(() => actOn(incidents, { do: 'snooze', until }, about)),
      }),
    ),
    item({
      id: 'release incidents',
      group,
      label: 'Unacknowledge',
      also: 'incident release unsnooze reopen',
      hint,
      reason,
      run: inScreen(() => actOn(incidents, { do: 'unacknowledge' }, about)),
    }),
    item({
      id: 'undo',
      group,
      label: 'Undo',
      keys: 'U',
      also: 'incident take back',
      reason: undo === null ? 'There is nothing to undo.' : '',
      run: inScreen(() => void incidents.actions.undo()),
    }),
  ]
}

/** Returns the actions that say who takes care of incidents; none for a Muster on its own. */
function teamItems({ incidents, opened, about, hint, inScreen }: Subject): readonly Item[] {
  if (incidents.team.state.get() === null) return []
  const reason = about.length === 0 ? 'Choose an incident first.' : ''
  const isAssigned = about.some(({ assigned }) => assigned !== null)
  return [
    item({
      id: 'take',
      group,
      label: 'Take',
      keys: 'T',
      also: 'incident assign to me own it',
      hint,
      reason,
      run: inScreen(() => actOn(incidents, { do: 'take' }, about)),
    }),
    item({
      id: 'assign',
      group,
      label: 'Assign to…',
      also: 'incident member team owner',
      hint,
      reason,
      run: inScreen(() => askFor(incidents, 'assign', opened)),
    }),
    item({
      id: 'give back',
      group,
      label: 'Give back',
      also: 'incident unassign release nobody',
      hint,
      reason: reason === '' && !isAssigned ? 'It is assigned to nobody.' : reason,
      run: inScreen(() => actOn(incidents, { do: 'give back' }, about)),
    }),
  ]
}

/** Returns the actions that copy one incident. */
function copyItems({ incidents, about, hint, inScreen }: Subject): readonly Item[] {
  const [one] = about
  const reason = about.length === 1 ? '' : 'Choose one incident first.'
  return [
    item({
      id: 'evidence',
      group,
      label: 'Copy report',
      also: 'incident ticket markdown clipboard',
      hint,
      reason,
      run: inScreen(() => void (one !== undefined && incidents.actions.copyEvidence(one.id))),
    }),
    item({
      id: 'link incident',
      group,
      label: 'Copy a link to the incident',
      also: 'share muster clipboard',
      hint,
      reason,
      run: inScreen(() => void (one !== undefined && incidents.actions.copyLink(one.id))),
    }),
  ]
}

/** Returns the actions on all incidents: the handover and the lists. */
function listItems({ incidents, inScreen }: Subject): readonly Item[] {
  return [
    item({
      id: 'handover',
      group,
      label: 'Shift handover',
      also: 'incident report markdown csv export',
      run: inScreen(() => incidents.asked.set({ what: 'handover' })),
    }),
    ...(['open', 'acknowledged', 'closed'] as const).map((state) =>
      item({
        id: `incidents ${state}`,
        group,
        label: `${stateLabels[state]} incidents`,
        also: 'show list',
        run: inScreen(() => incidents.ask({ state, text: '' })),
      }),
    ),
  ]
}
