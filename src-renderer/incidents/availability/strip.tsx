import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { explain } from '../../../src-shared/model/fault.ts'
import type { StripPart } from '../../../src-shared/model/incidents.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { isFocusLost } from '../../lib/ui/focus.ts'
import { Moment } from '../../lib/ui/moment.tsx'
import { many } from '../../lib/format/numbers.ts'
import { shortTime, type Times } from '../../lib/format/time.ts'
import { spanOf, spans, type Span, type SpanName } from './spans.ts'
import { stretchAt, stretchesOf, stretchMove, stretchText, type Stretch } from './stretches.ts'
import { ticksOf } from './ticks.ts'
import { useStrip, type StripState, type Strip, type Subject } from './use-strip.ts'
import { heightsOf, partText, shareText, stripText, sumOf, wholeOf } from './format.ts'

/** The minimum drawn height of a part, in per cent of the strip's height. */
const minHeight = 9

interface Shown {
  strip: Strip
  span: Span
  focus: FocusFlag
}

/** Holds whether the strip had the focus, because an element that is removed with the focus fires no event. */
interface FocusFlag {
  set(on: boolean): void
  get(): boolean
}

function createFocusFlag(): FocusFlag {
  let on = false
  return { set: (next) => void (on = next), get: () => on }
}

interface Props {
  /** A device or a place. */
  subject: Subject
  /** The strip is read again when this changes. */
  seen: string | number | null
  /** The offered time ranges. A single one needs no choice. */
  names?: readonly SpanName[]
}

/**
 * The availability of a device or a place: up, down, offline as reported by the service, and without data; by colour,
 * pattern and text.
 */
export function Availability({ subject, seen, names = ['24 h', '7 d', '30 d'] }: Props) {
  const [name, setName] = useState<SpanName>(names[0] ?? '24 h')
  const span = spanOf(name)
  const state = useStrip(subject, span, seen)
  // Keeps the focus when another strip replaces the one that had it.
  const [focus] = useState(createFocusFlag)
  return (
    <div className="availability" aria-busy={state.state === 'loading'}>
      {names.length > 1 && (
        <Choice
          label="Time range"
          value={name}
          options={spans.filter(({ value }) => names.includes(value))}
          onChange={setName}
        />
      )}
      <Drawn state={state} focus={focus} />
    </div>
  )
}

function Drawn({ state, focus }: { state: StripState; focus: FocusFlag }) {
  if (state.state === 'loading')
    return (
      <div className="strip strip-loading">
        <span className="sr-only">Loading…</span>
      </div>
    )
  if (state.state === 'failed')
    return (
      <p className="detail-note">
        {explain(state.fault).title} {explain(state.fault).advice}
      </p>
    )
  return <Shown strip={state.strip} span={state.span} focus={focus} />
}

function Shown({ strip, span, focus }: Shown) {
  const { devices, parts, drops, reportedSince } = strip
  const sum = sumOf(parts)
  const whole = wholeOf(sum)
  if (devices === 0 || whole === 0) return <p className="detail-note">No device of it is known now.</p>
  return (
    <>
      <Stretches strip={strip} span={span} focus={focus} />
      <ul className="strip-legend" aria-hidden="true">
        <li>
          <span className="strip-key strip-up" />
          Up {shareText(sum.up, whole)}
        </li>
        <li>
          <span className="strip-key strip-down" />
          Down {shareText(sum.down, whole)}
        </li>
        {sum.reported > 0 && (
          <li>
            <span className="strip-key strip-reported" />
            Reported offline {shareText(sum.reported, whole)}
          </li>
        )}
        <li>
          <span className="strip-key strip-unseen" />
          No data {shareText(sum.unseen, whole)}
        </li>
        <li className="strip-drops">
          {many(drops, 'disconnect')}
          {devices > 1 && `, ${many(devices, 'device')}`}
        </li>
      </ul>
      {reportedSince !== null && (
        <p className="detail-note">
          Offline since <Moment at={reportedSince} /> (as the service reports)
        </p>
      )}
    </>
  )
}

/**
 * The strip as a horizontal list box: the list has the focus, and the present stretch is its active descendant, whose
 * label has its state, time and duration. The present stretch is stored as a time, so that a new strip continues there.
 */
function Stretches({ strip, span, focus }: Shown) {
  const { times } = useSettings()
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [at, setAt] = useState<number | null>(null)
  const [focused, setFocused] = useState(false)
  useEffect(() => {
    if (focus.get() && isFocusLost()) list.current?.focus()
  }, [focus])
  const mark = (on: boolean) => {
    focus.set(on)
    setFocused(on)
  }
  const { devices, parts, drops, from, until } = strip
  const stretches = useMemo(() => stretchesOf(strip), [strip])
  const present = stretchAt(stretches, at)
  const timesOf = (one: { from: number; until: number }) =>
    `${shortTime(one.from, until, times)} to ${shortTime(one.until, until, times)}`
  const labels = stretches.map((stretch) => `${stretchText(stretch, devices)}, ${timesOf(stretch)}`)
  // The middle of a stretch stays in it when the strip advances a little.
  const go = (to: number) => setAt(to === stretches.length - 1 ? null : middleOf(stretches[to]))
  const onKeyDown = (event: KeyboardEvent) => {
    const to =
      event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
        ? null
        : stretchMove(event.key, stretches, present, span.page)
    if (to === null) return
    event.preventDefault()
    go(to)
  }
  const length = (until - from) / parts.length
  return (
    <>
      <div
        ref={list}
        className="strip"
        role="listbox"
        tabIndex={0}
        aria-orientation="horizontal"
        aria-label={stripText(span.phrase, devices, parts, drops)}
        aria-activedescendant={`${id}-${present}`}
        onKeyDown={onKeyDown}
        onFocus={() => mark(true)}
        onBlur={() => mark(false)}
      >
        {stretches.map((stretch, index) => (
          <StretchOption
            key={index}
            id={`${id}-${index}`}
            stretch={stretch}
            label={labels[index]}
            selected={index === present}
            length={length}
            timesOf={timesOf}
            onPress={() => go(index)}
          />
        ))}
      </div>
      {focused ? (
        <div className="strip-ends strip-text" aria-hidden="true">
          {labels[present]}
        </div>
      ) : (
        <Ends word={span.word} from={from} until={until} times={times} />
      )}
    </>
  )
}

interface StretchProps {
  id: string
  stretch: Stretch
  label: string | undefined
  selected: boolean
  /** Duration of one part, in ms. */
  length: number
  timesOf: (one: { from: number; until: number }) => string
  onPress: () => void
}

function StretchOption({ id, stretch, label, selected, length, timesOf, onPress }: StretchProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and the keys
    <div
      id={id}
      role="option"
      className="strip-stretch"
      aria-label={label}
      aria-selected={selected}
      style={{ flex: `${stretch.parts.length} 1 ${stretch.parts.length - 1}px` }}
      onClick={onPress}
    >
      {stretch.parts.map((part, number) => (
        <Bar
          key={number}
          part={part}
          title={`${timesOf(partTimes(stretch.from, number, length))}: ${partText(part)}`}
        />
      ))}
    </div>
  )
}

/** The labels of the beginning and the end, and the days or hours between. */
function Ends({ word, from, until, times }: { word: string; from: number; until: number; times: Times }) {
  return (
    <div className="strip-ends" aria-hidden="true">
      <span title={shortTime(from, until, times)}>{word} ago</span>
      {ticksOf(from, until, times).map((tick) => (
        <span key={tick.share} className="strip-tick" style={{ insetInlineStart: `${tick.share * 100}%` }}>
          {tick.word}
        </span>
      ))}
      <span>now</span>
    </div>
  )
}

const middleOf = (stretch: Stretch | undefined) => (stretch === undefined ? null : (stretch.from + stretch.until) / 2)
const partTimes = (from: number, number: number, length: number) => ({
  from: from + number * length,
  until: from + (number + 1) * length,
})

function Bar({ part, title }: { part: StripPart; title: string }) {
  const { up, down, reported, unseen } = heightsOf(part, minHeight)
  return (
    <span className="strip-part" title={title}>
      <span className="strip-unseen" style={{ blockSize: `${unseen}%` }} />
      <span className="strip-reported" style={{ blockSize: `${reported}%` }} />
      <span className="strip-down" style={{ blockSize: `${down}%` }} />
      <span className="strip-up" style={{ blockSize: `${up}%` }} />
    </span>
  )
}
