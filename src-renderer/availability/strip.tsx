import { useState } from 'react'
import { explain } from '../../src-shared/fault.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Choice } from '../ui/choice.tsx'
import { many } from '../words/numbers.ts'
import { shortTime } from '../words/time.ts'
import { spanOf, spans, type SpanName } from './spans.ts'
import { useStrip, type StripState, type Strip, type Subject } from './use-strip.ts'
import { heightsOf, partWords, shareWords, stripWords, sumOf } from './words.ts'

/** How little is drawn of a part at least, in per cent of the strip's height. */
const least = 9

interface Props {
  /** A device or a place. */
  subject: Subject
  /** Asked anew when this changes. */
  seen: string | number | null
  /** Over which times it can be looked at; one alone is no choice. */
  names?: readonly SpanName[]
}

/** How often a device or a place was connected: up, down and not seen, by colour and by pattern, and in words. */
export function Availability({ subject, seen, names = ['24 h', '7 d', '30 d'] }: Props) {
  const [name, setName] = useState<SpanName>(names[0] ?? '24 h')
  const span = spanOf(name)
  const state = useStrip(subject, span, seen)
  return (
    <div className="availability" aria-busy={state.state === 'loading'}>
      {names.length > 1 && <Choice label="Over which time" value={name} options={spans.filter(({ value }) => names.includes(value))} onChange={setName} />}
      <Drawn state={state} />
    </div>
  )
}

function Drawn({ state }: { state: StripState }) {
  if (state.state === 'loading') return <div className="strip strip-loading"><span className="sr-only">Loading…</span></div>
  if (state.state === 'failed') return <p className="detail-note">{explain(state.fault).title} {explain(state.fault).advice}</p>
  return <Shown strip={state.strip} said={state.span.said} />
}

function Shown({ strip, said }: { strip: Strip; said: string }) {
  const { times } = useSettings()
  const { devices, parts, drops, from, until } = strip
  const sum = sumOf(parts)
  const whole = sum.up + sum.down + sum.unseen
  if (devices === 0 || whole === 0) return <p className="detail-note">No device of it is known now.</p>
  const length = (until - from) / parts.length
  const titleOf = (index: number) => `${shortTime(from + index * length, until, times)} to ${shortTime(from + (index + 1) * length, until, times)}`
  return (
    <>
      <div className="strip" role="img" aria-label={stripWords(said, devices, parts, drops)}>
        {parts.map((part, index) => {
          const { up, down, unseen } = heightsOf(part, least)
          return (
            <span key={index} className="strip-part" title={`${titleOf(index)}: ${partWords(part)}`}>
              <span className="strip-unseen" style={{ blockSize: `${unseen}%` }} />
              <span className="strip-down" style={{ blockSize: `${down}%` }} />
              <span className="strip-up" style={{ blockSize: `${up}%` }} />
            </span>
          )
        })}
      </div>
      <div className="strip-ends" aria-hidden="true"><span>{shortTime(from, until, times)}</span><span>now</span></div>
      <ul className="strip-legend" aria-hidden="true">
        <li><span className="strip-key strip-up" />Up {shareWords(sum.up, whole)}</li>
        <li><span className="strip-key strip-down" />Down {shareWords(sum.down, whole)}</li>
        <li><span className="strip-key strip-unseen" />Not seen {shareWords(sum.unseen, whole)}</li>
        <li className="strip-drops">{many(drops, 'drop')}{devices > 1 && `, ${many(devices, 'device')}`}</li>
      </ul>
    </>
  )
}
