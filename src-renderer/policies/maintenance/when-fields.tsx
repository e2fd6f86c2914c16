import { Choice } from '../../lib/ui/choice.tsx'
import { weekdayNames, Weekdays } from '../../lib/ui/weekdays.tsx'
import { type Draft, endsNextDay, type Field, type Problems, withFrom, withUntil } from './draft.ts'
import { FormGroup, Small } from '../fields.tsx'

export interface WhenProps {
  draft: Draft
  problems: Problems
  onChange: (part: Partial<Draft>) => void
  onLeft: (field: Field) => void
}

const kinds = [
  { value: 'once', word: 'Once' },
  { value: 'weekly', word: 'Every week' },
  { value: 'monthly', word: 'Every month' },
] as const
const weeks = [
  { value: 1, word: 'First' },
  { value: 2, word: 'Second' },
  { value: 3, word: 'Third' },
  { value: 4, word: 'Fourth' },
  { value: -1, word: 'Last' },
]

/** The times of a window, in its zone. */
export function WhenFields(props: WhenProps) {
  const { draft, onChange } = props
  return (
    <>
      <FormGroup label="When">
        <Choice label="Repeat" value={draft.kind} options={kinds} onChange={(kind) => onChange({ kind })} />
      </FormGroup>
      {draft.kind === 'once' ? <Once {...props} /> : <Repeated {...props} />}
    </>
  )
}

function Once({ draft, problems, onChange, onLeft }: WhenProps) {
  return (
    <div className="form-pair">
      <FormGroup label="From" field="from" error={problems.get('from')}>
        <Small
          label="From, date"
          type="date"
          value={draft.fromDate}
          field="from"
          invalid={problems.has('from')}
          onChange={(fromDate) => onChange(withFrom(draft, { fromDate }))}
          onLeft={() => onLeft('from')}
        />
        <Small
          label="From, time"
          value={draft.fromTime}
          field="from"
          invalid={problems.has('from')}
          onChange={(fromTime) => onChange(withFrom(draft, { fromTime }))}
          onLeft={() => onLeft('from')}
        />
      </FormGroup>
      <FormGroup label="Until" field="until" error={problems.get('until')}>
        <Small
          label="Until, date"
          type="date"
          value={draft.untilDate}
          field="until"
          invalid={problems.has('until')}
          onChange={(untilDate) => onChange(withUntil(draft, { untilDate }))}
          onLeft={() => onLeft('until')}
        />
        <Small
          label="Until, time"
          value={draft.untilTime}
          field="until"
          invalid={problems.has('until')}
          onChange={(untilTime) => onChange(withUntil(draft, { untilTime }))}
          onLeft={() => onLeft('until')}
        />
      </FormGroup>
    </div>
  )
}

function Repeated(props: WhenProps) {
  const { draft, problems, onChange, onLeft } = props
  return (
    <>
      {draft.kind === 'weekly' ? <Days {...props} /> : <DayOfMonth {...props} />}
      <div className="form-pair">
        <FormGroup label="Starts at" field="begins" error={problems.get('begins')}>
          <Small
            label="Starts at"
            value={draft.begins}
            field="begins"
            invalid={problems.has('begins')}
            onChange={(begins) => onChange({ begins })}
            onLeft={() => onLeft('begins')}
          />
        </FormGroup>
        <Ends {...props} />
      </div>
      <FormGroup label="Repeats" field="lastDay" error={problems.get('lastDay')}>
        <Choice
          label="Repeats"
          value={draft.repeats}
          options={[
            { value: 'always', word: 'No end date' },
            { value: 'until', word: 'Until a date' },
          ]}
          onChange={(repeats) => onChange({ repeats })}
        />
        {draft.repeats === 'until' && (
          <Small
            label="Last start date"
            type="date"
            value={draft.lastDay}
            field="lastDay"
            invalid={problems.has('lastDay')}
            onChange={(lastDay) => onChange({ lastDay })}
            onLeft={() => onLeft('lastDay')}
          />
        )}
      </FormGroup>
    </>
  )
}

function Days({ draft, problems, onChange }: WhenProps) {
  return (
    <FormGroup label="On" field="days" error={problems.get('days')}>
      <Weekdays
        days={draft.days}
        error={problems.has('days') ? 'maintenance-days-error' : undefined}
        onChange={(days) => onChange({ days })}
      />
    </FormGroup>
  )
}

function DayOfMonth({ draft, onChange }: WhenProps) {
  return (
    <FormGroup label="On">
      <select
        className="input"
        aria-label="Which of the month"
        value={draft.week}
        onChange={(event) => onChange({ week: Number(event.target.value) })}
      >
        {weeks.map(({ value, word }) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label="Day of the week"
        value={draft.day}
        onChange={(event) => onChange({ day: Number(event.target.value) })}
      >
        {weekdayNames.map((name, day) => (
          <option key={name} value={day}>
            {name}
          </option>
        ))}
      </select>
      <span className="muted-text">of the month</span>
    </FormGroup>
  )
}

function Ends({ draft, problems, onChange, onLeft }: WhenProps) {
  const shared = { field: 'ends', invalid: problems.has('ends'), onLeft: () => onLeft('ends') }
  return (
    <FormGroup label="Ends" field="ends" error={problems.get('ends')}>
      <Choice
        label="Ends"
        value={draft.ends}
        options={[
          { value: 'at', word: 'At' },
          { value: 'after', word: 'After' },
        ]}
        onChange={(ends) => onChange({ ends })}
      />
      {draft.ends === 'at' ? (
        <Small {...shared} label="Ends at" value={draft.endsAt} onChange={(endsAt) => onChange({ endsAt })} />
      ) : (
        <Small
          {...shared}
          label="Lasts"
          size="length"
          value={draft.lasts}
          placeholder="4 h 30 min"
          onChange={(lasts) => onChange({ lasts })}
        />
      )}
      {draft.ends === 'at' && endsNextDay(draft) && <span className="muted-text">the next day</span>}
    </FormGroup>
  )
}
