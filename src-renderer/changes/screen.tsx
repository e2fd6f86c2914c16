import '../styles/changes.css'
import { RotateCw } from 'lucide-react'
import { useId, useMemo } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import { changeKinds, type ChangeKind } from '../../src-shared/contract/changes-calls.ts'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { useAppContext } from '../lib/context.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import type { Times } from '../lib/format/time.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { useStore } from '../lib/store.ts'
import { Choice } from '../lib/ui/choice.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { SaveCsv } from '../lib/ui/save-csv.tsx'
import { Moment } from '../lib/ui/moment.tsx'
import { ChangeTable, pageRows } from './change-table.tsx'
import { Comparison } from '../compare/screen.tsx'
import { ChangesParts } from './parts.tsx'
import {
  changesPart,
  type ChangesQuery,
  changesQuery,
  enteredTime,
  firstQuery,
  inputTime,
  spans,
  upToNow,
} from './query.ts'
import { lastVisit } from './visits.ts'
import { kindHints, kindWords } from './words.ts'

/** What changed over time, or the comparison of two sides. */
export function ChangesScreen({ coreLost }: { coreLost: boolean }) {
  const part = useStore(changesPart)
  return part === 'compare' ? <Comparison coreLost={coreLost} /> : <OverTime />
}

/** What changed between two times: devices that went offline, came and went, moved, or were renamed. */
function OverTime() {
  const { session, ticker } = useAppContext()
  const visit = useStore(lastVisit)
  const first = useMemo(() => firstQuery(ticker.exact(), visit), [ticker, visit])
  const query = useStore(changesQuery) ?? first
  const times = useStore(session.state, ({ app }) => app?.settings.times ?? 'local')
  const change = (next: Partial<ChangesQuery>) => changesQuery.set({ ...query, page: 0, ...next })
  const { from, until, kinds, text, page } = query
  const { value, current } = useCall(JSON.stringify({ from, until, kinds, text, page }), () =>
    session.pipe.call('changes.read', {
      from,
      until,
      kinds: [...kinds],
      text,
      offset: page * pageRows,
      limit: pageRows,
    }),
  )
  const found = value?.ok ? value.value : null
  return (
    <div className="screen changes" id="changes" tabIndex={-1}>
      <div className="screen-head">
        <h1>Changes</h1>
        <ChangesParts />
        <span className="screen-sum">
          {inputTime(from, times).replace('T', ' ')} to {inputTime(until, times).replace('T', ' ')}
        </span>
      </div>
      <Tools query={query} times={times} canSave={found !== null && found.total > 0} onChange={change} />
      <Kinds chosen={kinds} counts={found?.counts ?? null} onChange={(next) => change({ kinds: next })} />
      <FaultNote fault={value !== null && !value.ok ? value.fault : null} />
      {value === null && <p className="screen-note">Loading…</p>}
      {found !== null && (
        <div className="changes-found" aria-busy={!current}>
          <Notes found={found} from={from} />
          {found.total === 0 ? (
            <p className="screen-note">{noneText(query, found)}</p>
          ) : (
            <ChangeTable found={found} page={page} onPage={(next) => change({ page: next })} />
          )}
        </div>
      )}
    </div>
  )
}

interface ToolsProps {
  query: ChangesQuery
  times: Times
  canSave: boolean
  onChange: (next: Partial<ChangesQuery>) => void
}

/** The choice of the time, the search, and the export. */
function Tools({ query, times, canSave, onChange }: ToolsProps) {
  const { session, ticker } = useAppContext()
  const visit = useStore(lastVisit)
  const { from, until, kinds, text } = query
  const part = (row: number) => session.pipe.call('changes.csv', { from, until, kinds: [...kinds], text, row })
  const take = (span: ChangesQuery['span']) => changesQuery.set(upToNow(query, span, ticker.exact(), visit))
  return (
    <div className="changes-tools">
      <Choice
        label="Time"
        value={query.span}
        options={spans.filter(({ value }) => value !== 'visit' || visit !== null)}
        onChange={take}
      />
      {query.span === 'custom' ? (
        <Ends query={query} times={times} onChange={onChange} />
      ) : (
        <Button className="button subtle" onPress={() => take(query.span)}>
          <RotateCw size={14} aria-hidden />
          Up to now
        </Button>
      )}
      <span className="spring" />
      <input
        className="input"
        type="search"
        aria-label="Search changes"
        placeholder="Name or place"
        autoComplete="off"
        value={query.text}
        maxLength={200}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <SaveCsv what="changes" disabled={!canSave} part={part} />
    </div>
  )
}

/** Nothing that changed differs from nothing that is known. */
function noneText({ kinds, text }: ChangesQuery, { statusSince }: CallOutput<'changes.read'>): string {
  if (statusSince === null) return 'Nothing is recorded of this time.'
  return kinds.length > 0 || text.trim() !== '' ? 'No match.' : 'Nothing changed in this time.'
}

interface KindsProps {
  chosen: readonly ChangeKind[]
  /** Null while they are not known. */
  counts: CallOutput<'changes.read'>['counts'] | null
  onChange: (kinds: readonly ChangeKind[]) => void
}

/** The kinds with their counts. None chosen: all are shown. */
function Kinds({ chosen, counts, onChange }: KindsProps) {
  return (
    <div className="changes-kinds" role="group" aria-label="Kinds of changes">
      {changeKinds.map((kind) => (
        <ToggleButton
          key={kind}
          className="button toggle"
          aria-label={`${kindWords[kind]}: ${counts === null ? 'not known yet' : numberText(counts[kind])}. ${kindHints[kind]}`}
          isSelected={chosen.includes(kind)}
          onChange={(on) => onChange(on ? [...chosen, kind] : chosen.filter((each) => each !== kind))}
        >
          {kindWords[kind]} <span className="muted-text">{counts === null ? '…' : numberText(counts[kind])}</span>
        </ToggleButton>
      ))}
    </div>
  )
}

interface EndsProps {
  query: ChangesQuery
  times: Times
  onChange: (next: Partial<ChangesQuery>) => void
}

function Ends({ query: { from, until }, times, onChange }: EndsProps) {
  const id = useId()
  const ends = [
    { name: 'From', key: 'from', at: from },
    { name: 'To', key: 'until', at: until },
  ] as const
  return ends.map(({ name, key, at }) => (
    <label key={key} className="changes-end" htmlFor={`${id}-${key}`}>
      {name}
      <input
        id={`${id}-${key}`}
        className="input"
        type="datetime-local"
        defaultValue={inputTime(at, times)}
        onChange={(event) => {
          const entered = enteredTime(event.target.value, times)
          if (entered !== null) onChange({ [key]: entered })
        }}
      />
    </label>
  ))
}

function Notes({
  found: { recordedSince, statusSince, firmwareSince, leftOut },
  from,
}: {
  found: CallOutput<'changes.read'>
  from: number
}) {
  return (
    <>
      {statusSince !== null && statusSince > from && (
        <p className="muted-text">
          Status is recorded since <Moment at={statusSince} />.
        </p>
      )}
      {recordedSince === null && <p className="muted-text">No names and places are recorded yet.</p>}
      {recordedSince !== null && recordedSince > from && (
        <p className="muted-text">
          Names and places are recorded since <Moment at={recordedSince} />: before, nothing is known of devices that
          came, went, moved or were renamed.
        </p>
      )}
      {firmwareSince === null ? (
        <p className="muted-text">Firmware is recorded while a column with it is loaded: none is so far.</p>
      ) : (
        firmwareSince > from && (
          <p className="muted-text">
            Firmware is recorded since <Moment at={firmwareSince} />.
          </p>
        )
      )}
      {leftOut > 0 && <p className="muted-text">{many(leftOut, 'older change')} are not shown.</p>}
    </>
  )
}
