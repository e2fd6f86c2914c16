import type { Incident } from '../../../src-shared/model/incidents.ts'
import { IncidentJobs } from '../../actions/jobs/job-lines.tsx'
import { IncidentDeliveries } from '../../channels/incident-deliveries.tsx'

/** What was done about an incident: who was told of it elsewhere, and the actions on its devices. */
export function IncidentFollowUp({ incident }: { incident: Incident }) {
  return (
    <>
      <IncidentDeliveries incident={incident} />
      <IncidentJobs incident={incident} />
    </>
  )
}
