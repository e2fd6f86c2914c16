import { Choice } from '../../lib/ui/choice.tsx'
import { Weekdays } from '../../lib/ui/weekdays.tsx'
import { Panel } from '../panel.tsx'
import { reportSpans, type ReportDraft } from './draft.ts'

interface Props {
  draft: ReportDraft
  zone: string
  onChange: (part: Partial<ReportDraft>) => void
}

/** What a report is about: its time, and the service hours. */
export function ReportForm({ draft, zone, onChange }: Props) {
  return (
    <Panel title="Time" note={zone} className="report-form">
      <div className="report-fields">
        <Choice label="Time" value={draft.span} options={reportSpans} onChange={(span) => onChange({ span })} />
        {draft.span === 'custom' && (
          <>
            <Field label="First day" type="date" value={draft.first} onChange={(first) => onChange({ first })} />
            <Field label="Last day" type="date" value={draft.last} onChange={(last) => onChange({ last })} />
          </>
        )}
        <label className="check">
          <input
            type="checkbox"
            checked={draft.isService}
            onChange={({ target }) => onChange({ isService: target.checked })}
          />
          <span>Service hours only</span>
        </label>
        {draft.isService && <ServiceHours draft={draft} onChange={onChange} />}
      </div>
    </Panel>
  )
}

function ServiceHours({ draft, onChange }: Omit<Props, 'zone'>) {
  return (
    <>
      <Weekdays label="Days of the service hours" days={draft.days} onChange={(days) => onChange({ days })} />
      <Field label="From" type="time" value={draft.begins} onChange={(begins) => onChange({ begins })} />
      <Field label="To" type="time" value={draft.ends} onChange={(ends) => onChange({ ends })} />
    </>
  )
}

function Field({
  label,
  type,
  value,
  onChange,
}: {
  label: string
  type: 'date' | 'time'
  value: string
  onChange: (value: string) => void
}) {
  return (
    <label className="report-field">
      <span>{label}</span>
      <input className="input" type={type} value={value} onChange={({ target }) => onChange(target.value)} />
    </label>
  )
}
