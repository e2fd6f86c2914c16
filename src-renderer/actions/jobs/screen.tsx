import { Download, FileUp } from 'lucide-react'
import { useState } from 'react'
import { Button, ListBox, ListBoxItem } from 'react-aria-components'
import type { Answer } from '../../../src-shared/contract/contract.ts'
import type { Job } from '../../../src-shared/model/jobs.ts'
import { lastMoment } from '../../../src-shared/contract/limits.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { shellOf, type Session } from '../../lib/session.ts'
import { saveFile } from '../../lib/save-file.ts'
import { many } from '../../lib/format/numbers.ts'
import { shortTime } from '../../lib/format/time.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { countsText, jobStateLabels, jobTitle } from '../format.ts'
import { reasonAgainst } from '../offers.ts'
import { JobDetail } from './job-detail.tsx'
import { JobOwner } from './job-owner.tsx'

/** The jobs of one page, and how many more a press on the button shows. */
const pageJobs = 50

/** The history of actions, and one of them. */
export function ActionsScreen({ coreLost }: { coreLost: boolean }) {
  const { deviceActions, session } = useAppContext()
  const [text, setText] = useState('')
  const [limit, setLimit] = useState(pageJobs)
  const shown = useStore(deviceActions.shown)
  const state = useStore(deviceActions.state)
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? []
  const csv = reasonAgainst(state, 'update', null, connections)
  return (
    <div className="actions-screen" id="actions" tabIndex={-1} data-job={shown !== null}>
      <div className="screen-head">
        <h1 tabIndex={-1}>Actions</h1>
        <span className="spring" />
        <Button
          className="button"
          isDisabled={coreLost || csv !== ''}
          {...(csv !== '' && { 'aria-describedby': 'csv-reason' })}
          onPress={() => deviceActions.ask({ what: 'csv' })}
        >
          <FileUp size={14} aria-hidden />
          Change devices from CSV…
        </Button>
        <ExportButton coreLost={coreLost} />
      </div>
      {csv !== '' && (
        <p className="screen-note" id="csv-reason">
          {csv}
        </p>
      )}
      <div className="actions-panes">
        <section className="actions-list" aria-label="History of actions">
          <input
            className="input"
            type="search"
            aria-label="Search actions"
            placeholder="Search devices, places, words of the service"
            autoComplete="off"
            maxLength={200}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setLimit(pageJobs)
            }}
          />
          <JobList text={text.trim()} limit={limit} chosen={shown} onMore={() => setLimit(limit + pageJobs)} />
        </section>
        {shown !== null && <JobDetail key={shown} id={shown} coreLost={coreLost} />}
      </div>
    </div>
  )
}

interface ListProps {
  text: string
  limit: number
  chosen: string | null
  onMore: () => void
}

function JobList({ text, limit, chosen, onMore }: ListProps) {
  const { session, deviceActions } = useAppContext()
  const live = useStore(deviceActions.state)?.jobs ?? []
  const stamp = live.map(({ id, state }) => `${id} ${state}`).join('\n')
  const { value } = useCall(`${text}\n${limit}\n${stamp}`, () =>
    session.pipe.call('jobs.list', { text, device: null, offset: 0, limit: Math.min(limit, 500) }),
  )
  if (value === null) return <p className="detail-note">Loading…</p>
  if (!value.ok) return <FaultNote fault={value.fault} />
  const { total, rows } = value.value
  const present = rows.map((job) => live.find(({ id }) => id === job.id) ?? job)
  if (total === 0)
    return (
      <p className="detail-note">
        {text === ''
          ? 'No actions yet. Reboot, rename or move devices from the menu of a row, a place or an incident.'
          : 'No matches.'}
      </p>
    )
  return (
    <>
      <ListBox
        className="job-list"
        aria-label="Actions"
        items={present}
        selectionMode="single"
        selectedKeys={chosen === null ? [] : [chosen]}
        onSelectionChange={(keys) => {
          const [key] = keys === 'all' ? [] : [...keys]
          if (key !== undefined) deviceActions.shown.set(String(key))
        }}
      >
        {(job) => (
          <ListBoxItem id={job.id} className="job-item" textValue={jobTitle(job)}>
            <JobItem job={job} />
          </ListBoxItem>
        )}
      </ListBox>
      {rows.length < total && rows.length < 500 && (
        <Button className="button subtle" onPress={onMore}>
          Show more of {many(total, 'action')}
        </Button>
      )}
      {rows.length >= 500 && total > 500 && (
        <p className="hint">The last 500 of {many(total, 'action')}. Search to find older ones.</p>
      )}
    </>
  )
}

function JobItem({ job }: { job: Job }) {
  const { times } = useSettings()
  const when = useTickedText((now) => shortTime(job.createdAt, now, times))
  return (
    <>
      <Isolated className="clip job-item-title">{jobTitle(job)}</Isolated>
      <span className="job-line-when">{when}</span>
      <span className="job-item-state" data-state={job.state}>
        {jobStateLabels[job.state]}
        {job.devices > 0 && `: ${countsText(job)}`}
        <JobOwner job={job} />
      </span>
      <Isolated className="clip job-item-tenant">{job.tenants.map(({ name }) => name).join(', ')}</Isolated>
    </>
  )
}

/** Reads the whole history as CSV, part by part. */
async function readHistory({ pipe }: Session): Promise<Answer<readonly string[]>> {
  const parts: string[] = []
  let after: string | null = null
  do {
    const answer: Answer<{ text: string; after: string | null }> = await pipe.call('jobs.export', {
      from: 0,
      until: lastMoment,
      after,
    })
    if (!answer.ok) return answer
    parts.push(answer.value.text)
    after = answer.value.after
  } while (after !== null)
  return { ok: true, value: parts }
}

/** Exports the history as CSV. */
function ExportButton({ coreLost }: { coreLost: boolean }) {
  const { session, deviceActions, ticker } = useAppContext()
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    const read = await readHistory(session)
    const name = fileName('actions', 'csv', new Date(ticker.exact()))
    const saved = read.ok ? await saveFile(session.pipe, shellOf(session), name, 'text/csv', read.value) : read
    setBusy(false)
    if (!saved.ok) deviceActions.report({ fault: saved.fault })
    else if (saved.where !== null) deviceActions.report({ words: `Exported the history to ${saved.where}.` })
  }
  return (
    <Button className="button" isDisabled={coreLost || busy} onPress={() => void save()}>
      <Download size={14} aria-hidden />
      Export the history
    </Button>
  )
}
