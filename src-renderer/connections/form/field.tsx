import { fieldLabels } from '../../lib/format/input.ts'
import type { FieldName } from './fields.ts'

interface Props {
  name: FieldName
  value?: string | undefined
  error: string | null
  hint?: string
  placeholder?: string
  /** Number of lines, when more than one. */
  lines?: number
  mono?: boolean
  secret?: boolean
  /** True for the field with the focus when the form opens. */
  focused?: boolean
  /** Called when the focus leaves the field. */
  onLeft: (name: FieldName) => void
}

/** A labelled, uncontrolled field (see the form). */
export function Field({
  name,
  value = '',
  error,
  hint,
  placeholder,
  lines,
  mono = false,
  secret = false,
  focused = false,
  onLeft,
}: Props) {
  const id = `field-${name}`
  const describedBy = [hint !== undefined && `${id}-hint`, error !== null && `${id}-error`]
    .filter((part) => part !== false)
    .join(' ')
  const shared = {
    id,
    name,
    placeholder,
    defaultValue: value,
    className: mono ? 'input mono' : 'input',
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': error !== null,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    onBlur: () => onLeft(name),
  }
  return (
    <div className="form-field">
      <label htmlFor={id}>{fieldLabels[name]}</label>
      {lines === undefined ? (
        <input
          {...shared}
          type={secret ? 'password' : 'text'}
          autoComplete={secret ? 'new-password' : 'off'}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
          autoFocus={focused}
        />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- as above
        <textarea {...shared} rows={lines} autoFocus={focused} />
      )}
      {error !== null && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
