import { Button } from 'react-aria-components'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { useSettings } from '../../settings/use-settings.ts'
import type { Incidents } from '../incidents.ts'
import { noticeText, waitingFor } from './handover-words.ts'

/** Tells this operator of a handover that waits for them. */
export function HandoverNotice({ incidents, coreLost }: { incidents: Incidents; coreLost: boolean }) {
  const { team, asked } = incidents
  const { times } = useSettings()
  const self = useStore(team.state, (state) => state?.operator ?? null)
  const handovers = useStore(team.handovers)
  const waiting = waitingFor(handovers, self)
  const [newest] = waiting
  const words = useTickedText((now) => noticeText(waiting, now, times))
  if (self === null) return null
  return (
    <div className="handover-notice" data-shown={newest !== undefined}>
      <p role="status">{words}</p>
      {newest !== undefined && (
        <Button
          className="button"
          isDisabled={coreLost}
          onPress={() => asked.set({ what: 'handed over', id: newest.id })}
        >
          Read
        </Button>
      )}
    </div>
  )
}
