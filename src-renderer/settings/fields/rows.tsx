import { RotateCcw } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Switch } from 'react-aria-components'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { numberText } from '../../lib/format/numbers.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface RowProps {
  name: string
  /** Its description, a sentence. */
  description: string
  /** The default as text when the value differs; null when it does not. */
  defaultText: string | null
  disabled: boolean
  onReset: () => void
  children: ReactNode
  /** The error of the input. */
  error?: string | null
  ids?: { description: string; error: string }
}

/** A setting: its name, its description, its control, and a button that restores the default. */
export function SettingRow({
  name,
  description,
  defaultText,
  disabled,
  onReset,
  children,
  error = null,
  ids,
}: RowProps) {
  const control = useRef<HTMLDivElement>(null)
  // The button disappears after use, so the focus moves to the setting.
  const reset = () => {
    onReset()
    control.current?.querySelector<HTMLElement>('input, textarea')?.focus()
  }
  return (
    <div className="setting">
      <div className="setting-text">
        <h3>{name}</h3>
        <p id={ids?.description}>{description}</p>
        <p className="field-error" id={ids?.error} role="alert">
          {error}
        </p>
      </div>
      <div className="setting-control" ref={control}>
        {children}
        <span className="setting-reset">
          {defaultText !== null && (
            <IconButton label={`${name}: restore the default, ${defaultText}`} disabled={disabled} onPress={reset}>
              <RotateCcw size={14} aria-hidden />
            </IconButton>
          )}
        </span>
      </div>
    </div>
  )
}

interface SwitchProps {
  label: string
  on: boolean
  disabled: boolean
  onChange: (on: boolean) => void
}

export function SettingSwitch({ label, on, disabled, onChange }: SwitchProps) {
  return (
    <Switch className="switch" aria-label={label} isSelected={on} isDisabled={disabled} onChange={onChange}>
      <span className="switch-track">
        <span className="switch-knob" />
      </span>
      <span className="switch-word" aria-hidden>
        {on ? 'On' : 'Off'}
      </span>
    </Switch>
  )
}

/** A setting that the machine's policy sets. It is shown read-only. */
export function FixedSetting({ name, description, value }: { name: string; description: string; value: string }) {
  return (
    <div className="setting">
      <div className="setting-text">
        <h3>{name}</h3>
        <p>{description}</p>
        <p>Set by your organisation.</p>
      </div>
      <div className="setting-control">
        <Isolated className="fixed-value">{value}</Isolated>
      </div>
    </div>
  )
}

interface TextProps extends Omit<RowProps, 'children' | 'error' | 'ids'> {
  value: string
  onValue: (value: string) => void
  /** Returns what is wrong with a text; null when it is valid. */
  problem?: (text: string) => string | null
  placeholder: string
  /** Number of lines, when more than one. */
  lines?: number
}

/**
 * A text setting. It is saved when the field is left, and on Enter when it has one line. An invalid text shows its
 * error and is not saved.
 */
export function TextSetting({ value, onValue, problem = () => null, placeholder, lines = 1, ...row }: TextProps) {
  const [text, setText] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const id = useId()
  const ids = { description: `${id}-description`, error: `${id}-error` }
  const wrong = text === null ? null : problem(text.trim())
  const error = left ? wrong : null

  function take() {
    setLeft(true)
    if (text === null || wrong !== null) return
    setText(null)
    if (text.trim() !== value) onValue(text.trim())
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && lines === 1) take()
    else if (event.key === 'Escape' && text !== null) setText(null)
    else return
    event.preventDefault()
  }

  const field = {
    className: 'input mono',
    'aria-label': row.name,
    placeholder,
    value: text ?? value,
    disabled: row.disabled,
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': error !== null,
    'aria-describedby': `${ids.description} ${ids.error}`,
    onBlur: take,
    onKeyDown,
    onChange: (event: { target: { value: string } }) => {
      setLeft(false)
      setText(event.target.value)
    },
  }
  return (
    <SettingRow
      {...row}
      error={error}
      ids={ids}
      onReset={() => {
        setText(null)
        row.onReset()
      }}
    >
      <span className="text-field">
        {lines === 1 ? <input {...field} type="text" /> : <textarea {...field} rows={lines} />}
      </span>
    </SettingRow>
  )
}

export interface NumberRange {
  min: number
  max: number
  unit: string
}

interface NumberProps extends NumberRange, Omit<RowProps, 'children' | 'error' | 'ids'> {
  value: number
  onValue: (value: number) => void
}

/**
 * A whole number with its unit. It is saved on Enter, when the field is left, and with the arrow keys. A number outside
 * the limits shows an error and is not saved.
 */
export function NumberSetting({ value, min, max, unit, onValue, ...row }: NumberProps) {
  const [text, setText] = useState<string | null>(null)
  const id = useId()
  const ids = { description: `${id}-description`, error: `${id}-error` }
  const error = text === null ? null : numberProblem(text, { min, max, unit })

  function take() {
    if (text === null || error !== null) return
    setText(null)
    if (Number(text) !== value) onValue(Number(text))
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (event.key === 'Enter') take()
    else if (event.key === 'Escape' && text !== null) setText(null)
    else if (step !== undefined && inside(value + step, min, max)) {
      setText(null)
      onValue(value + step)
    } else return
    event.preventDefault()
  }

  return (
    <SettingRow
      {...row}
      error={error}
      ids={ids}
      onReset={() => {
        setText(null)
        row.onReset()
      }}
    >
      <span className="number-field">
        <input
          className="input"
          inputMode="numeric"
          aria-label={`${row.name}, ${unit}`}
          value={text ?? String(value)}
          disabled={row.disabled}
          aria-invalid={error !== null}
          aria-describedby={`${ids.description} ${ids.error}`}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          onBlur={take}
          onKeyDown={onKeyDown}
        />
        <span className="unit">{unit}</span>
      </span>
    </SettingRow>
  )
}

const inside = (value: number, min: number, max: number) => value >= min && value <= max

/** Returns why a text is no valid number; null when it is. Nothing is clamped. */
export function numberProblem(text: string, { min, max, unit }: NumberRange): string | null {
  const limits = `Enter a whole number from ${numberText(min)} to ${numberText(max)} ${unit}.`
  return /^\s*\d+\s*$/u.test(text) && inside(Number(text), min, max) ? null : limits
}
