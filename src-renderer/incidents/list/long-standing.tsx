import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from 'react-aria-components'
import { isolated } from '../../../src-shared/text/direction.ts'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { LongStanding } from '../../../src-shared/model/incidents.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { every, useCall } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { numberText } from '../../lib/format/numbers.ts'
import { fullTime, shortTime } from '../../lib/format/time.ts'
import type { Incidents } from '../incidents.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

type Answer = CallOutput<'incidents.longStanding'>

const pageRows = 25
/** Interval between two reads, in ms. */
const refreshEvery = 10_000

/** Devices that were offline before Muster first saw them, below the open incidents. They are in no incident. */
export function LongStandingPart({ incidents: { view } }: { incidents: Incidents }) {
  const shown = useStore(view, ({ state, text }) => state === 'open' && text === '')
  const [expanded, setExpanded] = useState(false)
  const [offset, setOffset] = useState(0)
  const answer = useLongStanding(shown, offset)
  const id = useId()
  if (!shown || answer === null || answer.total === 0) return null
  const { total, spares, rows } = answer
  return (
    <section className="long-standing" aria-label="Long-standing">
      <h2>
        <Button
          className="long-standing-head"
          aria-expanded={expanded}
          aria-controls={id}
          onPress={() => setExpanded(!expanded)}
        >
          {expanded ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}Long-standing{' '}
          <span className="list-count">{numberText(total)}</span>
        </Button>
        <span className="muted-text">
          Offline since before Muster first saw them.{' '}
          {spares > 0 && `${numberText(spares)} ${spares === 1 ? 'is a spare' : 'are spares'}.`}
        </span>
      </h2>
      {expanded && (
        <div id={id}>
          <ul className="members" aria-label="Long-standing devices">
            {rows.map((device) => (
              <Line key={device.key} device={device} />
            ))}
          </ul>
          {total > pageRows && (
            <div className="member-pages">
              <span role="status">
                {numberText(offset + 1)} to {numberText(offset + rows.length)} of {numberText(total)}
              </span>
              <IconButton
                label="Devices before these"
                disabled={offset === 0}
                onPress={() => setOffset(Math.max(0, offset - pageRows))}
              >
                <ChevronLeft size={15} aria-hidden />
              </IconButton>
              <IconButton
                label="Devices after these"
                disabled={offset + rows.length >= total}
                onPress={() => setOffset(offset + pageRows)}
              >
                <ChevronRight size={15} aria-hidden />
              </IconButton>
            </div>
          )}
        </div>
      )}
    </section>
  )
}

/** Returns null before the first answer. The last answer stays until a newer one. */
function useLongStanding(shown: boolean, offset: number): Answer | null {
  const { session } = useAppContext()
  const load = async () => {
    const answer = await session.pipe.call('incidents.longStanding', { offset, limit: pageRows })
    return answer.ok ? answer.value : null
  }
  return useCall(shown ? String(offset) : null, load, every(refreshEvery)).value
}

function Line({
  device: { key, name, hardwareModel, tenant, account, site, room, lastDetected, spare },
}: {
  device: LongStanding
}) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const seen = useTickedText((now) =>
    lastDetected === null ? 'last seen: not reported' : `last seen ${shortTime(lastDetected, now, times)}`,
  )
  const where = [tenant, account, site, room]
    .flatMap((each) => (each === null || each === undefined ? [] : [isolated(each)]))
    .join(' · ')
  return (
    <li>
      <Button
        className="member"
        onPress={() => session.open({ scope: 'all', filter: '', device: key, incident: null })}
      >
        <StatusMark status="disconnected" />
        <span className="member-name">
          <NameText name={name} clip />
          <Isolated className="member-where clip" title={where}>
            {where}
          </Isolated>
        </span>
        <span
          className="member-when"
          title={lastDetected === null ? hardwareModel : `${isolated(hardwareModel)}, ${fullTime(lastDetected, times)}`}
        >
          {seen}
          {spare && <span className="incident-tag">Spare</span>}
        </span>
      </Button>
    </li>
  )
}
