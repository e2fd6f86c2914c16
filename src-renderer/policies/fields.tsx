import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button, ComboBox, Input, Label, ListBox, Popover, type Key } from 'react-aria-components'

interface RowProps {
  label: string
  /** Renders the control, with the ids that describe its errors. */
  children: (ids: { id: string; describedBy: string | undefined }) => ReactNode
  error?: string | undefined
  hint?: ReactNode
}

/** A labelled control with its hint and its error. */
export function FormRow({ label, children, error, hint }: RowProps) {
  const id = useId()
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, describedBy: describingIds(id, error, hint) })}
      <Under id={id} error={error} hint={hint} />
    </div>
  )
}

const groupId = (field: string) => `maintenance-${field}`

/** Several controls under one heading. */
export function FormGroup({
  label,
  children,
  error,
  hint,
  field,
}: Omit<RowProps, 'children'> & { children: ReactNode; field?: string }) {
  const own = useId()
  const id = field === undefined ? own : groupId(field)
  return (
    <fieldset className="form-field form-group" data-field={field} aria-describedby={describingIds(id, error, hint)}>
      <legend>{label}</legend>
      <div className="form-group-row">{children}</div>
      <Under id={id} error={error} hint={hint} />
    </fieldset>
  )
}

function describingIds(id: string, error: string | undefined, hint: ReactNode): string | undefined {
  const describedBy = [error === undefined ? null : `${id}-error`, hint === undefined ? null : `${id}-hint`].filter(
    (part) => part !== null,
  )
  return describedBy.length === 0 ? undefined : describedBy.join(' ')
}

function Under({ id, error, hint }: { id: string; error: string | undefined; hint: ReactNode }) {
  return (
    <>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  )
}

interface TextProps {
  label: string
  value: string
  onChange: (value: string) => void
  onLeft?: () => void
  /** The field of the group, which names the error when it is `invalid`. */
  field: string
  invalid: boolean
  type?: 'text' | 'date'
  size?: 'time' | 'length'
  placeholder?: string
}

/** A small field of a group, with its label for screen readers only. */
export function Small({
  label,
  value,
  onChange,
  onLeft,
  field,
  invalid,
  type = 'text',
  size = 'time',
  placeholder,
}: TextProps) {
  return (
    <input
      className="input"
      data-size={type === 'date' ? 'date' : size}
      type={type}
      aria-label={label}
      aria-invalid={invalid}
      aria-describedby={invalid ? `${groupId(field)}-error` : undefined}
      value={value}
      placeholder={placeholder}
      max={type === 'date' ? '9999-12-31' : undefined}
      maxLength={40}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onLeft}
    />
  )
}

interface SearchProps<T extends { key: string; words: string }> {
  label: string
  value: string | null
  /** The items to list. They are filtered by `matches`, or by the parent (`typed`). */
  items: readonly T[]
  matches?: (words: string, typed: string) => boolean
  typed?: { text: string; onText: (text: string) => void }
  /**
   * Called with null when the text matches no item. With `typed` the parent holds the text, also when the same item is
   * chosen again.
   */
  onChange: (key: string | null) => void
  error?: string | undefined
  hint?: ReactNode
  empty: string
  /** True for the field with the focus when the dialog opens. */
  focused?: boolean
  placeholder?: string
  children: (item: T) => ReactNode
}

/** A combo box. */
export function Searched<T extends { key: string; words: string }>({
  label,
  value,
  items,
  matches,
  typed,
  onChange,
  error,
  hint,
  empty,
  focused = false,
  placeholder = '',
  children,
}: SearchProps<T>) {
  const id = useId()
  const given =
    typed === undefined
      ? { defaultItems: items, ...(matches === undefined ? {} : { defaultFilter: matches }) }
      : { items, inputValue: typed.text, onInputChange: typed.onText }
  const describedBy = describingIds(id, error, hint)
  const chosen = (key: Key | null) => onChange(key === null ? null : String(key))
  return (
    <ComboBox<T>
      className="form-field combo"
      {...given}
      selectedKey={value}
      onSelectionChange={chosen}
      isInvalid={error !== undefined}
      allowsEmptyCollection
      menuTrigger="input"
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
      autoFocus={focused}
    >
      <Label>{label}</Label>
      <div className="combo-box">
        <Input className="input" autoComplete="off" spellCheck={false} placeholder={placeholder} />
        <Button className="combo-open">
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      <Under id={id} error={error} hint={hint} />
      <Popover className="popover combo-list" offset={3}>
        <ListBox<T> className="combo-items" renderEmptyState={() => <p className="combo-none">{empty}</p>}>
          {children}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
