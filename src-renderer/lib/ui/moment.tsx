import { age, clockTime, fullTime, oldness } from '../format/time.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useTickedText } from '../hooks/use-ticked-text.ts'

/** A relative time with its moment (local and UTC) as tooltip. Old times look old. `none`: the text for never. */
export function Age({ at, none = 'never' }: { at: number | null; none?: string }) {
  const { times } = useSettings()
  const words = useTickedText((now) => (at === null ? none : age(at, now)))
  const old = useTickedText((now) => (at === null ? '0' : String(oldness(at, now))))
  if (at === null)
    return (
      <span className="age" data-old="3">
        {words}
      </span>
    )
  return (
    <time className="age" data-old={old} dateTime={new Date(at).toISOString()} title={fullTime(at, times)}>
      {words}
    </time>
  )
}

/** A moment in the operator's chosen zone, which the status bar names, with both zones as tooltip. */
export function Moment({ at, none = '–' }: { at: number | null; none?: string }) {
  const { times } = useSettings()
  const words = useTickedText((now) => (at === null ? none : clockTime(at, now, times)))
  if (at === null) return <span className="absent">{words}</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at, times)}>
      {words}
    </time>
  )
}
