import { age, localFull, localTime, oldness, utc } from '../words/time.ts'
import { useWords } from '../ticker.ts'

/** How long ago, with the moment itself (local and UTC) in its title; old looks old. `none`: the word for never. */
export function Age({ at, none = 'never' }: { at: number | null; none?: string }) {
  const words = useWords((now) => (at === null ? none : age(at, now)))
  const old = useWords((now) => (at === null ? '0' : String(oldness(at, now))))
  if (at === null) return <span className="age" data-old="3">{words}</span>
  return <time className="age" data-old={old} dateTime={new Date(at).toISOString()} title={`${localFull(at)} · ${utc(at)}`}>{words}</time>
}

/** A moment in local time, with UTC in its title. */
export function Moment({ at, none = '–' }: { at: number | null; none?: string }) {
  const words = useWords((now) => (at === null ? none : localTime(at, now)))
  if (at === null) return <span className="absent">{words}</span>
  return <time dateTime={new Date(at).toISOString()} title={utc(at)}>{words}</time>
}
