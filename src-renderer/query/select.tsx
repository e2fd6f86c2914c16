interface SelectProps {
  label: string
  value: string
  options: readonly { value: string; word: string }[]
  onChange: (value: string) => void
}

/** A choice in the head of the screen, with its label. */
export function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <label className="query-choice">
      <span>{label}</span>
      <select
        className="input"
        value={value}
        disabled={options.length === 0}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.word}
          </option>
        ))}
      </select>
    </label>
  )
}
