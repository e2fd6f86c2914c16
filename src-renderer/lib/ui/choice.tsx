import { Radio, RadioGroup } from 'react-aria-components'

interface Props<T extends string> {
  label: string
  value: T
  options: readonly { value: T; word: string }[]
  disabled?: boolean
  onChange: (value: T) => void
}

/** A group of radio buttons in a row. */
export function Choice<T extends string>({ label, value, options, disabled = false, onChange }: Props<T>) {
  const chosen = (next: string) => {
    const option = options.find((each) => each.value === next)
    if (option !== undefined) onChange(option.value)
  }
  return (
    <RadioGroup
      className="choice"
      aria-label={label}
      value={value}
      isDisabled={disabled}
      onChange={chosen}
      orientation="horizontal"
    >
      {options.map((option) => (
        <Radio key={option.value} className="choice-part" value={option.value}>
          {option.word}
        </Radio>
      ))}
    </RadioGroup>
  )
}
