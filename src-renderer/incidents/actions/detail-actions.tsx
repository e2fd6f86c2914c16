import {
  AlarmClockOff,
  CheckCheck,
  ClipboardCopy,
  ListTree,
  RotateCcw,
  UserCheck,
  UserMinus,
  UserPlus,
} from 'lucide-react'
import { Button } from 'react-aria-components'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { IncidentActions } from '../../actions/entries/incident-menu.tsx'
import { useAppContext } from '../../lib/context.ts'
import { LinkButton } from '../../lib/ui/buttons/link-button.tsx'
import { askFor } from './ask.ts'
import type { Incidents } from '../incidents.ts'
import { useStore } from '../../lib/store.ts'
import { actOn } from '../team/direct.ts'

interface Props {
  incidents: Incidents
  incident: Incident
  coreLost: boolean
}

/** The actions on an incident. A closed one cannot be changed. */
export function DetailActions({ incidents, incident, coreLost }: Props) {
  const { session } = useAppContext()
  const { closedAt, acknowledged, snoozed, id, open } = incident
  const isSilenced = acknowledged !== null || snoozed !== null
  return (
    <div className="actions incident-actions">
      {closedAt === null && (
        <Button
          className={isSilenced ? 'button' : 'button primary'}
          isDisabled={coreLost}
          onPress={() => askFor(incidents, 'acknowledge', true)}
        >
          <CheckCheck size={14} aria-hidden />
          Acknowledge
        </Button>
      )}
      {closedAt === null && (
        <Button className="button" isDisabled={coreLost} onPress={() => askFor(incidents, 'snooze', true)}>
          <AlarmClockOff size={14} aria-hidden />
          Snooze
        </Button>
      )}
      {closedAt === null && isSilenced && (
        <Button
          className="button"
          isDisabled={coreLost}
          onPress={() => actOn(incidents, { do: 'unacknowledge' }, [incident])}
        >
          <RotateCcw size={14} aria-hidden />
          Unacknowledge
        </Button>
      )}
      {closedAt === null && <TeamActions incidents={incidents} incident={incident} coreLost={coreLost} />}
      <IncidentActions incident={incident} coreLost={coreLost} />
      <Button className="button" onPress={() => session.open({ ...open, incident: null })}>
        <ListTree size={14} aria-hidden />
        Show devices
      </Button>
      <Button className="button" isDisabled={coreLost} onPress={() => void incidents.actions.copyEvidence(id)}>
        <ClipboardCopy size={14} aria-hidden />
        Copy report
      </Button>
      <LinkButton link={{ to: 'incident', id }} />
    </div>
  )
}

/** Who takes care of it; nothing for a Muster on its own. */
function TeamActions({ incidents, incident, coreLost }: Props) {
  const self = useStore(incidents.team.state, (team) => team?.operator ?? null)
  const { assigned } = incident
  if (self === null) return null
  return (
    <>
      {assigned?.to !== self && (
        <Button className="button" isDisabled={coreLost} onPress={() => actOn(incidents, { do: 'take' }, [incident])}>
          <UserCheck size={14} aria-hidden />
          Take
        </Button>
      )}
      <Button className="button" isDisabled={coreLost} onPress={() => askFor(incidents, 'assign', true)}>
        <UserPlus size={14} aria-hidden />
        Assign to…
      </Button>
      {assigned !== null && (
        <Button
          className="button"
          isDisabled={coreLost}
          onPress={() => actOn(incidents, { do: 'give back' }, [incident])}
        >
          <UserMinus size={14} aria-hidden />
          Give back
        </Button>
      )}
    </>
  )
}
