import { FormRow } from '../../policies/fields.tsx'
import type { RoomDraft } from './place-values.ts'

type Field = 'capacity' | 'size' | 'floor'

interface Props {
  draft: RoomDraft
  /** The error of each field; '' for none. */
  problems: { capacity: string; size: string }
  onChange: (part: Partial<RoomDraft>) => void
}

/** Capacity, size and floor of a room. */
export function RoomFields({ draft, problems, onChange }: Props) {
  const shared = { draft, onChange }
  return (
    <>
      <Row {...shared} field="capacity" label="Capacity" hint="Persons." problem={problems.capacity} length={6} />
      <Row
        {...shared}
        field="size"
        label="Size"
        hint="As the service writes it, for example LARGE."
        problem={problems.size}
        length={40}
      />
      <Row {...shared} field="floor" label="Floor" problem="" length={100} />
    </>
  )
}

interface RowProps extends Pick<Props, 'draft' | 'onChange'> {
  field: Field
  label: string
  hint?: string
  problem: string
  /** The most characters. */
  length: number
}

function Row({ draft, onChange, field, label, hint, problem, length }: RowProps) {
  return (
    <FormRow label={label} hint={hint} error={problem === '' ? undefined : problem}>
      {({ id, describedBy }) => (
        <input
          id={id}
          className="input"
          inputMode={field === 'capacity' ? 'numeric' : undefined}
          autoComplete="off"
          maxLength={length}
          aria-invalid={problem !== ''}
          aria-describedby={describedBy}
          value={draft[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </FormRow>
  )
}
