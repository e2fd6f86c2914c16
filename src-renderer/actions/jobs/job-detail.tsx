import { Pause, Play, RotateCcw, Square, Undo2, UserCheck, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import type { Job, JobDevice, Outcome } from '../../../src-shared/model/jobs.ts'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { createPaged } from '../../lib/list/paged.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Moment } from '../../lib/ui/moment.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import { DeviceList } from '../device-list.tsx'
import { JobOwner } from './job-owner.tsx'
import {
  jobStateText,
  jobTitle,
  outcomeLabels,
  outcomeOrder,
  outcomeText,
  placeText,
  settled,
  valuesText,
} from '../format.ts'

/** One action: its progress, what can be done with it, and what came of each device. */
export function JobDetail({ id, coreLost }: { id: string; coreLost: boolean }) {
  const { session, deviceActions } = useAppContext()
  const live = useStore(deviceActions.state, (state) => state?.jobs.find((job) => job.id === id))
  const { value } = useCall(live === undefined ? id : null, () => session.pipe.call('jobs.show', { job: id }))
  const job = live ?? (value?.ok === true ? value.value.job : null)
  const close = () => deviceActions.shown.set(null)
  const box = useRef<HTMLElement>(null)
  // In a low window it is below the history. Nothing may be returned: newer browsers scroll with a promise.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={box} className="job-detail" aria-label="Action">
      <div className="detail-close">
        <IconButton label="Close the action" onPress={close}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      <FaultNote fault={value?.ok === false ? value.fault : null} />
      {job !== null && <JobShown job={job} coreLost={coreLost} />}
      {job === null && value?.ok === true && <p className="detail-note">This action is no longer stored.</p>}
    </section>
  )
}

function JobShown({ job, coreLost }: { job: Job; coreLost: boolean }) {
  const { times } = useSettings()
  const [only, setOnly] = useState<Outcome | null>(null)
  const state = useTickedText((now) => jobStateText(job, now, times))
  return (
    <>
      <h2>{jobTitle(job)}</h2>
      <p className="job-tenants">
        <Isolated>{job.tenants.map(({ name }) => name).join(', ')}</Isolated>, ordered <Moment at={job.createdAt} />
        <JobOwner job={job} />
      </p>
      <p role="status" className="job-state" data-state={job.state}>
        {state}
      </p>
      {job.fault !== null && (
        <p className="form-fault">
          {explain(job.fault).title} {explain(job.fault).advice}
        </p>
      )}
      {job.devices > 0 && job.endedAt === null && (
        <progress aria-label="Progress" className="job-progress" max={job.devices} value={settled(job)} />
      )}
      {job.ownerAway === true && <TakeOver job={job} coreLost={coreLost} />}
      {job.kind !== 'mutation' && <Controls job={job} only={only} coreLost={coreLost} />}
      <div className="job-counts" role="group" aria-label="Outcomes">
        {outcomeOrder
          .filter((outcome) => job.counts[outcome] > 0)
          .map((outcome) => (
            <ToggleButton
              key={outcome}
              className="button toggle"
              isSelected={only === outcome}
              onChange={(on) => setOnly(on ? outcome : null)}
            >
              {outcomeLabels[outcome]}
              <span className="toggle-count">{numberText(job.counts[outcome])}</span>
            </ToggleButton>
          ))}
      </div>
      <JobDevices job={job} only={only} />
    </>
  )
}

/** Makes the action of a member that is away this Muster's. Nothing is sent by it. */
function TakeOver({ job, coreLost }: { job: Job; coreLost: boolean }) {
  const { session, deviceActions } = useAppContext()
  const take = async () => {
    const answer = await session.pipe.call('jobs.take', { job: job.id })
    if (!answer.ok) deviceActions.report({ fault: answer.fault })
  }
  return (
    <div className="job-controls">
      <Button className="button" isDisabled={coreLost} onPress={() => void take()}>
        <UserCheck size={14} aria-hidden />
        Take over
      </Button>
    </div>
  )
}

/** The outcomes that a person may want to send again. */
const failed = ['unknown', 'not-back', 'refused', 'not-sent'] as const satisfies readonly Outcome[]

function Controls({ job, only, coreLost }: { job: Job; only: Outcome | null; coreLost: boolean }) {
  const { session, deviceActions } = useAppContext()
  const control = async (command: 'pause' | 'continue' | 'stop') => {
    const answer = await session.pipe.call('jobs.control', { job: job.id, command })
    if (!answer.ok) deviceActions.report({ fault: answer.fault })
  }
  const ended = job.state === 'done' || job.state === 'stopped'
  // Only the Muster that owns it can control it.
  const isOpen = !ended && job.owner === undefined
  const wanted = failed.filter((outcome) => job.counts[outcome] > 0 && (only === null || only === outcome))
  return (
    <div className="job-controls">
      {isOpen && job.state === 'running' && (
        <Button className="button" isDisabled={coreLost} onPress={() => void control('pause')}>
          <Pause size={14} aria-hidden />
          Pause
        </Button>
      )}
      {isOpen && (job.state === 'paused' || job.state === 'interrupted') && (
        <Button className="button primary" isDisabled={coreLost} onPress={() => void control('continue')}>
          <Play size={14} aria-hidden />
          Continue
        </Button>
      )}
      {isOpen && (
        <Button className="button" isDisabled={coreLost} onPress={() => void control('stop')}>
          <Square size={14} aria-hidden />
          Stop
        </Button>
      )}
      {ended && job.place === null && wanted.length > 0 && (
        <Button
          className="button"
          isDisabled={coreLost}
          onPress={() => deviceActions.ask({ what: 'again', job: job.id, outcomes: wanted })}
        >
          <RotateCcw size={14} aria-hidden />
          {only === null ? 'Only what failed…' : `Only ${outcomeLabels[only].toLowerCase()}…`}
        </Button>
      )}
      {job.undoable && (
        <Button
          className="button"
          isDisabled={coreLost}
          onPress={() => deviceActions.ask({ what: 'undo', job: job.id })}
        >
          <Undo2 size={14} aria-hidden />
          Undo…
        </Button>
      )}
    </div>
  )
}

function Values({ values }: { values: JobDevice['before'] }) {
  const text = valuesText(values)
  return text === '' ? '–' : <Isolated title={text}>{text}</Isolated>
}

function JobDevices({ job, only }: { job: Job; only: Outcome | null }) {
  const { session, ticker } = useAppContext()
  const { times } = useSettings()
  const rows = useMemo(
    () =>
      createPaged<JobDevice>({
        clock: systemClock,
        load: async (offset, limit) => {
          const outcomes = only === null ? null : [only]
          const answer = await session.pipe.call('jobs.devices', { job: job.id, outcomes, offset, limit })
          return answer.ok ? { ok: true, value: { rev: 0, ...answer.value } } : answer
        },
      }),
    [session, job.id, only],
  )
  useEffect(() => () => rows.stop(), [rows])
  const stamp = JSON.stringify([job.counts, job.state])
  useEffect(() => {
    if (stamp !== '') rows.refresh()
  }, [rows, stamp])
  const isMutation = job.kind === 'mutation'
  const changes = job.kind !== 'reboot' && !isMutation
  const head = isMutation ? 'Field' : job.place === null ? 'Device' : job.place.kind === 'site' ? 'Site' : 'Room'
  const cells = (device: JobDevice) => [
    <NameText key="name" name={device.name} />,
    ...(changes
      ? [<Values key="before" values={device.before} />, <Values key="after" values={device.after} />]
      : isMutation
        ? []
        : [<Isolated key="place">{placeText(device)}</Isolated>]),
    <span key="outcome" className="job-outcome" data-outcome={device.outcome}>
      {outcomeText(device, job.kind, ticker.now(), times)}
    </span>,
  ]
  return (
    <DeviceList
      label={
        isMutation ? 'Fields of the mutation' : job.place === null ? 'Devices of the action' : 'Place of the action'
      }
      heads={[head, ...(changes ? ['Before', 'New'] : isMutation ? [] : ['Site and room']), 'Outcome']}
      rows={rows}
      kind={changes ? 'job-changes' : isMutation ? 'job-fields' : 'job'}
      empty={isMutation ? 'No fields.' : only === null ? 'No devices.' : 'No devices with this outcome.'}
      cells={cells}
    />
  )
}
