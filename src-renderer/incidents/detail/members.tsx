import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { Incident, IncidentMember } from '../../../src-shared/model/incidents.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { Part } from '../../lib/ui/part.tsx'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { numberText } from '../../lib/format/numbers.ts'
import { fullTime } from '../../lib/format/time.ts'
import { memberRows } from './detail-source.ts'
import type { Incidents } from '../incidents.ts'
import { recoveredText, droppedText, membersText, locationText } from '../format.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The devices of an incident in pages; those that are down come first. */
export function MemberList({ incidents: { detail }, incident }: { incidents: Incidents; incident: Incident }) {
  const members = useStore(detail.members)
  const here = members !== null && members.id === incident.id ? members : null
  const last = here === null ? 0 : here.offset + here.rows.length
  return (
    <Part title={here === null ? 'Devices' : `Devices: ${membersText(incident, here.total)}`}>
      {here === null && <p className="detail-note">Loading…</p>}
      {here !== null && here.rows.length === 0 && <p className="detail-note">No devices.</p>}
      {here !== null && here.rows.length > 0 && (
        <ul className="members" aria-label="Devices of the incident">
          {here.rows.map((member) => (
            <MemberLine key={member.key} member={member} incident={incident} />
          ))}
        </ul>
      )}
      {here !== null && here.total > memberRows && (
        <div className="member-pages">
          <span role="status">
            {numberText(here.offset + 1)} to {numberText(last)} of {numberText(here.total)}
          </span>
          <IconButton
            label="Devices before these"
            disabled={here.offset === 0}
            onPress={() => detail.page(here.offset - memberRows)}
          >
            <ChevronLeft size={15} aria-hidden />
          </IconButton>
          <IconButton
            label="Devices after these"
            disabled={last >= here.total}
            onPress={() => detail.page(here.offset + memberRows)}
          >
            <ChevronRight size={15} aria-hidden />
          </IconButton>
        </div>
      )}
    </Part>
  )
}

function MemberLine({ member, incident }: { member: IncidentMember; incident: Incident }) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const dropped = useTickedText((now) => droppedText(member, now, times))
  const back = useTickedText((now) => recoveredText(member, now, times))
  const { key, name, at, notBefore, recoveredAt, recoveredNotBefore, unlisted } = member
  const where = locationText(member, incident)
  const whole = (to: number, from: number | null) =>
    from === null ? fullTime(to, times) : `Not seen live: between ${fullTime(from, times)} and ${fullTime(to, times)}`
  const title = [
    whole(at, notBefore),
    recoveredAt !== null &&
      `${unlisted === true ? 'no longer listed since' : 'recovered'} ${whole(recoveredAt, recoveredNotBefore)}`,
  ]
    .filter((part) => part !== false)
    .join('; ')
  return (
    <li>
      <Button
        className="member"
        data-long={notBefore !== null || recoveredAt !== null}
        onPress={() => session.open({ scope: incident.open.scope, filter: '', device: key, incident: null })}
      >
        <StatusMark status={recoveredAt === null ? 'disconnected' : unlisted === true ? 'unknown' : 'connected'} />
        <span className="member-name">
          <NameText name={name} clip />
          {where !== '' && (
            <Isolated className="member-where clip" title={where}>
              {where}
            </Isolated>
          )}
        </span>
        <span className="member-when" title={title}>
          {dropped}
          {back !== '' && <span className="member-back">, {back}</span>}
        </span>
      </Button>
    </li>
  )
}
