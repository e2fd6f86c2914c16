import { Button } from 'react-aria-components'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import type { Job } from '../../../src-shared/model/jobs.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Moment } from '../../lib/ui/moment.tsx'
import { Part } from '../../lib/ui/part.tsx'
import { countsText, jobStateLabels, jobStateText, jobTitle } from '../format.ts'
import { JobOwner } from './job-owner.tsx'
import { jobsStamp } from './stamp.ts'

/** The most jobs that a device or an incident lists. */
const listed = 5

/** The jobs that are not ended, for the popover of the status bar. */
export function JobsPanel({ onDone }: { onDone: () => void }) {
  const { deviceActions } = useAppContext()
  const jobs = useStore(deviceActions.state)?.jobs ?? []
  const open = jobs.filter(({ state }) => state !== 'done' && state !== 'stopped')
  const show = (id: string | null) => {
    onDone()
    deviceActions.show(id)
  }
  return (
    <div className="dialog small wide">
      <h2>Actions</h2>
      <ul className="job-lines">
        {open.map((job) => (
          <JobLine key={job.id} job={job} onShow={show} />
        ))}
      </ul>
      <div className="dialog-actions">
        <Button className="button" onPress={() => show(null)}>
          All actions
        </Button>
      </div>
    </div>
  )
}

function JobLine({ job, onShow }: { job: Job; onShow: (id: string) => void }) {
  const { times } = useSettings()
  const state = useTickedText((now) => jobStateText(job, now, times))
  return (
    <li>
      <Button className="job-line" onPress={() => onShow(job.id)}>
        <strong className="clip">{jobTitle(job)}</strong>
        <span className="job-line-when">
          <Moment at={job.createdAt} />
          <JobOwner job={job} />
        </span>
        <span className="job-line-state">{state}</span>
      </Button>
    </li>
  )
}

/** The last actions on a device, in its detail. */
export function DeviceJobs({ device }: { device: string }) {
  return <LastJobs title="Actions" asked={{ device }} />
}

/** The last actions on the devices of an incident, before it and since. */
export function IncidentJobs({ incident: { id, shape } }: { incident: Incident }) {
  return (
    <LastJobs
      title={shape === 'device' ? 'Actions' : 'Actions on its devices'}
      asked={{ device: null, incident: id }}
    />
  )
}

/** `asked`: whose jobs are listed. */
function LastJobs({ asked, title }: { asked: { device: string | null; incident?: string }; title: string }) {
  const { session, deviceActions } = useAppContext()
  // Jobs that change are read again.
  const stamp = useStore(deviceActions.state, jobsStamp)
  const { value } = useCall(`${JSON.stringify(asked)}\n${stamp}`, () =>
    session.pipe.call('jobs.list', { text: '', ...asked, offset: 0, limit: listed }),
  )
  if (value === null) return null
  if (!value.ok)
    return (
      <Part title={title}>
        <FaultNote fault={value.fault} />
      </Part>
    )
  if (value.value.total === 0) return null
  return (
    <Part title={title}>
      <ul className="job-lines">
        {value.value.rows.map((job) => (
          <li key={job.id}>
            <Button className="job-line" onPress={() => deviceActions.show(job.id)}>
              <Isolated className="clip">{jobTitle(job)}</Isolated>
              <span className="job-line-when">
                <Moment at={job.createdAt} />
              </span>
              <span className="job-line-state">
                {jobStateLabels[job.state]}: {countsText(job)}
                <JobOwner job={job} />
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </Part>
  )
}
