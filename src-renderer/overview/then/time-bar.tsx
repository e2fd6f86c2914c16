import { Pause, Play } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { Button } from 'react-aria-components'
import { repeat, systemClock } from '../../../src-shared/lib/clock.ts'
import { enteredTime, inputTime } from '../../changes/query.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { shortTime } from '../../lib/format/time.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { dayMs, hourMs, keyStep, minuteMs, reaches, thenTime, timeWithin, type Reach } from './then-time.ts'

const steps = [
  { word: '−1 d', name: 'A day back', ms: -dayMs },
  { word: '−1 h', name: 'An hour back', ms: -hourMs },
  { word: '−1 min', name: 'A minute back', ms: -minuteMs },
  { word: '+1 min', name: 'A minute on', ms: minuteMs },
  { word: '+1 h', name: 'An hour on', ms: hourMs },
  { word: '+1 d', name: 'A day on', ms: dayMs },
] as const

/** How fast it plays; `minutes`: that are passed in a second. */
const speeds = [
  { value: '60', word: '60×', minutes: 1 },
  { value: '600', word: '600×', minutes: 10 },
] as const

/** The choice of a past time: a slider, steps, a typed time, and play. `at`: the chosen one, ms. */
export function TimeBar({ at, isCurrent }: { at: number; isCurrent: boolean }) {
  const { ticker } = useAppContext()
  const { times } = useSettings()
  const [reach, setReach] = useState<Reach>('week')
  const minute = Number(useTickedText((now) => String(Math.floor(now / minuteMs))))
  const now = minute * minuteMs
  const longest = reaches.find(({ value }) => value === reach)?.ms ?? dayMs
  const from = Math.min(now - longest, at)
  const go = (to: number) => thenTime.set(timeWithin(to, ticker.exact()))
  const field = useId()
  return (
    <div className="time-bar" role="group" aria-label="Time">
      <input
        type="range"
        className="time-slider"
        aria-label="Time shown"
        aria-valuetext={shortTime(at, now, times)}
        min={from}
        max={now}
        step={minuteMs}
        value={at}
        onChange={(event) => go(Number(event.target.value))}
        onKeyDown={(event) => {
          const step = keyStep(event)
          if (step === null) return
          event.preventDefault()
          go(at + step)
        }}
      />
      <div className="time-tools">
        <Choice label="Reach of the slider" value={reach} options={reaches} onChange={setReach} />
        {steps.map(({ word, name, ms }) => (
          <Button
            key={word}
            className="button subtle"
            aria-label={name}
            isDisabled={ms > 0 && at + ms > now}
            onPress={() => go(at + ms)}
          >
            {word}
          </Button>
        ))}
        <Player at={at} isCurrent={isCurrent} onTime={go} />
        <span className="spring" />
        <label className="changes-end" htmlFor={field}>
          Time
          <input
            key={at}
            id={field}
            className="input"
            type="datetime-local"
            defaultValue={inputTime(at, times)}
            onBlur={(event) => goTo(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && goTo(event.currentTarget.value)}
          />
        </label>
      </div>
    </div>
  )

  function goTo(text: string) {
    const entered = enteredTime(text, times)
    if (entered !== null && entered !== at) go(entered)
  }
}

interface PlayerProps {
  at: number
  isCurrent: boolean
  onTime: (at: number) => void
}

/** Plays the time from here on, and ends at now. It waits for what it shows. */
function Player({ at, isCurrent, onTime }: PlayerProps) {
  const { ticker } = useAppContext()
  const [speed, setSpeed] = useState<(typeof speeds)[number]['value']>('60')
  const [plays, setPlays] = useState(false)
  const advance = useEffectEvent(() => {
    if (!isCurrent) return
    const next = at + minuteMs * (speeds.find(({ value }) => value === speed)?.minutes ?? 1)
    onTime(next)
    if (next >= ticker.exact() - minuteMs) setPlays(false)
  })
  useEffect(() => (plays ? repeat(systemClock, 1000, () => advance()) : undefined), [plays])
  return (
    <>
      <Button className="button" onPress={() => setPlays(!plays)}>
        {plays ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        {plays ? 'Pause' : 'Play'}
      </Button>
      <Choice label="Speed" value={speed} options={speeds} onChange={setSpeed} />
    </>
  )
}
