interface Props<T extends string> {
  label: string
  value: T
  options: readonly { value: T; word: string }[]
  onChange: (value: T) => void
}

/** A labelled choice among several, of which only the present one is shown. */
export function Select<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <label className="select">
      <span>{label}</span>
      <select
        className="input"
        value={value}
        disabled={options.length === 0}
        onChange={({ target }) => {
          const option = options.find((each) => each.value === target.value)
          if (option !== undefined) onChange(option.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.word}
          </option>
        ))}
      </select>
    </label>
  )
}
