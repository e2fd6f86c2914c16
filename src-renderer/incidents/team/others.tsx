import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall, type Repeat } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import type { Session } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import type { Incidents, Subject } from '../incidents.ts'
import { lookersOf, lookingText, marksLines } from './words.ts'

interface Props {
  incidents: Incidents
  subjects: readonly Subject[]
}

/** What other members of the team do about the incidents of an action; nothing for a Muster on its own. */
export function Others({ incidents, subjects }: Props) {
  const self = useStore(incidents.team.state, (team) => team?.operator ?? null)
  return self === null ? null : <OthersOf incidents={incidents} subjects={subjects} self={self} />
}

function OthersOf({ incidents: { team }, subjects, self }: Props & { self: string }) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const ids = subjects.map(({ id }) => id)
  const looking = useStore(team.state, (state) => lookingText(lookersOf(state, ids), ids.length))
  const { value } = useCall(ids.join(' '), () => session.pipe.call('incidents.marks', { ids }), afterIncidents(session))
  const marks = value?.ok === true ? value.value.marks : subjects
  const done = useTickedText((now) => marksLines(subjects, marks, { self, now, times }).join('\n'))
  const lines = new Set([looking, ...done.split('\n')].filter((line) => line !== ''))
  return (
    <div className="others" aria-live="polite">
      {[...lines].map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

/** Calls again whenever incidents have changed. */
const afterIncidents =
  (session: Session): Repeat =>
  (call) => {
    let summary = session.state.get().app?.incidents
    return session.state.subscribe(() => {
      const next = session.state.get().app?.incidents
      if (next === summary) return
      summary = next
      void call()
    })
  }
