/** Monday is 0. */
export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

interface Props {
  /** The chosen days; Monday is 0. */
  days: readonly number[]
  /** Called with the days in their order. */
  onChange: (days: number[]) => void
  /** Names the group, where nothing around it does. */
  label?: string
  /** Id of the error; left out while there is none. */
  error?: string | undefined
}

/** The days of a week, each of which can be chosen. */
export function Weekdays({ days, onChange, label, error }: Props) {
  const turn = (day: number, on: boolean) =>
    onChange([...days.filter((each) => each !== day), ...(on ? [day] : [])].sort((one, other) => one - other))
  return (
    <span className="days" role={label === undefined ? undefined : 'group'} aria-label={label}>
      {weekdayNames.map((name, day) => (
        <label key={name} className="day">
          <input
            type="checkbox"
            aria-label={name}
            aria-invalid={error !== undefined}
            aria-describedby={error}
            checked={days.includes(day)}
            onChange={({ target }) => turn(day, target.checked)}
          />
          <span aria-hidden>{name.slice(0, 3)}</span>
        </label>
      ))}
    </span>
  )
}
