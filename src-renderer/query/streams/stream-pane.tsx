import { Download, Pause, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import type { SubscriptionState } from '../../../src-shared/model/subscription.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { saveFile } from '../../lib/save-file.ts'
import { shellOf, type Session } from '../../lib/session.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { EventDetail } from './event-detail.tsx'
import { EventList } from './event-list.tsx'
import { StreamStatus } from './stream-status.tsx'

interface Props {
  id: string
  /** Null: the core does not have it, or has not answered yet. */
  state: SubscriptionState | null
  coreLost: boolean
}

/** A subscription: how it stands, and its events, the newest first. */
export function StreamPane({ id, state, coreLost }: Props) {
  const { session } = useAppContext()
  const [filter, setFilter] = useState('')
  const [pausedAt, setPausedAt] = useState<number | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const last = state?.last ?? 0
  const fresh = pausedAt === null ? 0 : last - pausedAt
  const clear = () => {
    void session.pipe.call('subscription.clear', { id })
    setChosen(null)
    if (pausedAt !== null) setPausedAt(last)
  }
  return (
    <section className="query-answer" aria-label="Subscription">
      <div role="status" className="query-status">
        {state === null ? <span className="muted-text">Starting…</span> : <StreamStatus state={state} />}
      </div>
      {state?.progress.is === 'ended' && <EndNote progress={state.progress} />}
      <div className="answer-head">
        <input
          className="input"
          type="search"
          aria-label="Filter events"
          placeholder="Filter events"
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <Button className="button" onPress={() => setPausedAt(pausedAt === null ? last : null)}>
          {pausedAt === null ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
          {pausedAt === null ? 'Pause' : fresh === 0 ? 'Resume' : `Resume, ${numberText(fresh)} new`}
        </Button>
        <Button className="button" isDisabled={coreLost || last === 0} onPress={clear}>
          <Trash2 size={14} aria-hidden />
          Clear
        </Button>
        <SaveEvents id={id} filter={filter} disabled={coreLost || last === 0} />
      </div>
      {coreLost && <p className="muted-text">Muster’s core is not running: it keeps no events of before.</p>}
      <div className="stream-panes" data-open={chosen !== null}>
        <EventList
          id={id}
          filter={filter}
          before={pausedAt === null ? null : pausedAt + 1}
          stamp={`${last} ${state?.events ?? 0}`}
          chosen={chosen}
          onChosen={setChosen}
          onPause={() => {
            if (pausedAt === null) setPausedAt(last)
          }}
        />
        {chosen !== null && <EventDetail key={chosen} id={id} event={chosen} onClose={() => setChosen(null)} />}
      </div>
    </section>
  )
}

type Ended = Extract<SubscriptionState['progress'], { is: 'ended' }>

/** Why it ended, where the operator did not end it. */
function EndNote({ progress: { reason, fault, words } }: { progress: Ended }) {
  switch (reason) {
    case 'stopped':
      return null
    case 'connection':
      return <p className="muted-text">Its connection was paused, changed or removed.</p>
    case 'completed':
      return <p className="muted-text">The service completed it: no more events come.</p>
    case 'failed':
      return <FaultNote fault={fault} />
    case 'rejected':
      return (
        <div role="alert" className="form-fault">
          <strong>The service rejects this subscription.</strong>
          {words.length === 0 && fault !== null && ` ${explain(fault).title}`}
          <ul>
            {words.map((word, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the list never changes
              <li key={index}>
                <Isolated>{word}</Isolated>
              </li>
            ))}
          </ul>
        </div>
      )
  }
}

/** Saves the events that are kept, and that the filter shows, as lines of JSON. */
function SaveEvents({ id, filter, disabled }: { id: string; filter: string; disabled: boolean }) {
  const { session, ticker } = useAppContext()
  const [saved, setSaved] = useState<{ where: string; count: number } | { fault: Fault } | null>(null)
  async function save() {
    const read = await readEvents(session, id, filter)
    if ('fault' in read) return setSaved(read)
    const name = fileName('events', 'ndjson', new Date(ticker.exact()))
    const done = await saveFile(session.pipe, shellOf(session), name, 'application/x-ndjson', read.parts)
    if (!done.ok) setSaved({ fault: done.fault })
    else if (done.where !== null) setSaved({ where: done.where, count: read.count })
  }
  return (
    <>
      <Button className="button" isDisabled={disabled} onPress={() => void save()}>
        <Download size={14} aria-hidden />
        Save as NDJSON
      </Button>
      <span role="status" className="muted-text">
        {saved !== null && 'where' in saved && (
          <>
            Saved {many(saved.count, 'line')} as <Isolated>{saved.where}</Isolated>.
          </>
        )}
      </span>
      <FaultNote fault={saved !== null && 'fault' in saved ? saved.fault : null} />
    </>
  )
}

async function readEvents(
  { pipe }: Session,
  id: string,
  filter: string,
): Promise<{ parts: string[]; count: number } | { fault: Fault }> {
  const parts: string[] = []
  let count = 0
  for (let after = 0; ;) {
    const answer = await pipe.call('subscription.text', { id, filter, after })
    if (!answer.ok) return { fault: answer.fault }
    const { text, next } = answer.value
    if (text === '') return { parts, count }
    parts.push(text)
    count += text.split('\n').length - 1
    after = next
  }
}
