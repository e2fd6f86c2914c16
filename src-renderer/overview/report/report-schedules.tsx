import { useState } from 'react'
import { Button } from 'react-aria-components'
import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import type { ReportSchedule, ServiceHours } from '../../../src-shared/model/report-settings.ts'
import { hoursText } from '../../../src-shared/reports/report-html.ts'
import { useAppContext } from '../../lib/context.ts'
import { useStore } from '../../lib/store.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { useSettings } from '../../settings/use-settings.ts'

const everies = [
  { value: 'week', word: 'Week' },
  { value: 'month', word: 'Month' },
] as const

interface Props {
  place: string
  placeName: string
  /** The service hours that are set above; null: all times count. */
  hours: ServiceHours | null
  coreLost: boolean
}

/** The reports that Muster writes into folders of this computer by itself, while it runs. */
export function ReportSchedules({ place, placeName, hours, coreLost }: Props) {
  const { session } = useAppContext()
  const { reportSchedules } = useSettings()
  const shell = useStore(session.state, ({ app }) => app?.shell)
  const [every, setEvery] = useState<ReportSchedule['every']>('month')
  const [folder, setFolder] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const change = async (next: ReportSchedule[]) => {
    const answer = await session.change({ reportSchedules: next })
    setFault(answer.ok ? null : answer.fault)
    return answer.ok
  }
  const add = async () => {
    const schedule = { id: crypto.randomUUID(), place, placeName, every, folder: folder.trim(), hours }
    if (await change([...reportSchedules, schedule])) setFolder('')
  }
  const choose = async () => {
    const answer = await session.pipe.call('files.chooseFolder', {})
    if (!answer.ok) setFault(answer.fault)
    else if (answer.value.folder !== null) setFolder(answer.value.folder)
  }
  return (
    <details className="report-dressing report-form">
      <summary>Written by schedule ({reportSchedules.length})</summary>
      <p>
        After each week or month, Muster writes the report of it as HTML and CSV into a folder of this computer. What
        came due while Muster was not running is written at its next start, the last one only. Service hours that are
        set above hold for it too.
      </p>
      <List
        schedules={reportSchedules}
        coreLost={coreLost}
        onRemove={(id) => void change(reportSchedules.filter((each) => each.id !== id))}
      />
      <form
        className="report-fields"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Choice label="Every" value={every} options={everies} disabled={coreLost} onChange={setEvery} />
        <label className="report-field">
          <span>Folder</span>
          <input
            className="input mono"
            type="text"
            size={36}
            placeholder="/srv/reports"
            spellCheck={false}
            value={folder}
            disabled={coreLost}
            onChange={({ target }) => setFolder(target.value)}
          />
        </label>
        {shell === 'electron' && (
          <Button className="button" isDisabled={coreLost} onPress={() => void choose()}>
            Choose…
          </Button>
        )}
        <Button className="button" type="submit" isDisabled={coreLost || folder.trim() === ''}>
          Add for {placeName}
          {hours !== null && ', service hours only'}
        </Button>
      </form>
      <FaultNote fault={fault} />
    </details>
  )
}

interface ListProps {
  schedules: readonly ReportSchedule[]
  coreLost: boolean
  onRemove: (id: string) => void
}

function List({ schedules, coreLost, onRemove }: ListProps) {
  const { session } = useAppContext()
  const load = async () => {
    const answer = await session.pipe.call('reports.schedules', {})
    return answer.ok ? answer.value.schedules : null
  }
  const ids = schedules.map(({ id }) => id).join(' ')
  const { value } = useCall(schedules.length === 0 ? null : `${ids} ${coreLost}`, load)
  if (schedules.length === 0) return null
  return (
    <ul className="report-schedules">
      {schedules.map(({ id, placeName, every, folder, hours }) => {
        const state = value?.find((each) => each.id === id)
        return (
          <li key={id}>
            <Isolated className="clip">
              {placeName}, every {every}, into {folder}
              {hours != null && `, ${hoursText(hours)}`}
            </Isolated>
            <span className="muted-text" role={state?.fault == null ? undefined : 'alert'}>
              {state === undefined ? 'Writing…' : stateText(state)}
            </span>
            <Button
              className="button subtle"
              aria-label={`Remove ${placeName}, every ${every}`}
              isDisabled={coreLost}
              onPress={() => onRemove(id)}
            >
              Remove
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

function stateText({ written, fault }: { written: { period: string } | null; fault: Fault | null }): string {
  const last = written === null ? '' : `Written: ${written.period}.`
  return fault === null ? last : `${last} Not written: ${explain(fault).title} ${fault.detail}`.trim()
}
