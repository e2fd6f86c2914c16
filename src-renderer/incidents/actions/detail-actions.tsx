import { AlarmClockOff, CheckCheck, ClipboardCopy, ListTree, RotateCcw } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { IncidentActions } from '../../actions/entries/incident-menu.tsx'
import { useAppContext } from '../../lib/context.ts'
import { LinkButton } from '../../lib/ui/buttons/link-button.tsx'
import { askFor } from './ask.ts'
import type { Incidents } from '../incidents.ts'

/** The actions on an incident. A closed one cannot be changed. */
export function DetailActions({
  incidents,
  incident,
  coreLost,
}: {
  incidents: Incidents
  incident: Incident
  coreLost: boolean
}) {
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
        <Button className="button" isDisabled={coreLost} onPress={() => void incidents.actions.release([id])}>
          <RotateCcw size={14} aria-hidden />
          Unacknowledge
        </Button>
      )}
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
