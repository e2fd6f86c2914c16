import { age, clockTime, fullTime, oldness } from '../format/time.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useTickedText } from '../hooks/use-ticked-text.ts'

/** How long ago, with the moment itself (local and UTC) in its title; old looks old. `none`: the word for never. */
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

/** A moment by the operator's chosen clock (the status bar names it), with both in its title. */
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
