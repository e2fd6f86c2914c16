import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { isLow, littleShare, partOf, resetText, share, shortNumber, stopsAt } from '../../lib/format/points.ts'
import { across, angleOf, arc, labelAt, middle } from './dial-shape.ts'

interface Props {
  gauge: Gauge
  /** True when no service answers: the numbers are the last known ones, and nothing counts down. */
  stale: boolean
}

/** A rate window, in ms (service-spec.md, section 8). */
const windowMs = 60_000
const scale = 80
const tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const
const labelled = [0, 0.2, 0.4, 0.6, 0.8, 1] as const

/**
 * A dial of the remaining points: a needle over a scale with its red zone and marks, in a ring that shrinks until the
 * reset. Hidden from screen readers, because the text beside it has the same content.
 */
export function Dial({ gauge, stale }: Props) {
  const { remaining, limit, reserve } = gauge
  const stop = stopsAt(gauge)
  return (
    <svg
      className="dial"
      viewBox="0 0 200 168"
      data-low={isLow(gauge)}
      data-stale={stale}
      data-guess={!gauge.known}
      aria-hidden="true"
      focusable="false"
    >
      <Countdown gauge={gauge} stale={stale} />
      <path className="dial-track" d={arc(scale, 0, 1)} />
      <path
        className="dial-left"
        d={arc(scale, 0, 1)}
        pathLength={100}
        style={{ strokeDasharray: `${share(gauge) * 100} 200` }}
      />
      {tenths.map((part) => (
        <line key={part} className="dial-cut" {...across(part, scale - 6, scale + 6)} />
      ))}
      <path className="dial-red" d={arc(scale + 6.5, 0, littleShare)} />
      {labelled.map((part) => (
        <text key={part} className="dial-label" {...labelAt(part)} dy="3">
          {shortNumber(limit * part)}
        </text>
      ))}
      {reserve > 0 && <Mark kind="reserve" part={partOf(reserve, limit)} />}
      {stop !== null && <Mark kind="ceiling" part={partOf(stop, limit)} />}
      <g className="dial-needle" style={{ transform: `rotate(${angleOf(share(gauge))}deg)` }}>
        <path
          d={`M ${middle - 2.6} ${middle + 12} L ${middle - 0.6} 29 L ${middle + 0.6} 29 L ${middle + 2.6} ${middle + 12} Z`}
        />
      </g>
      <circle className="dial-hub" cx={middle} cy={middle} r="6" />
      <text className="dial-amount" x={middle} y="150">
        {numberText(remaining)}
      </text>
      <ResetText gauge={gauge} stale={stale} />
    </svg>
  )
}

/** A ring around the scale that shows the rest of the rate window. */
function Countdown({ gauge: { resetAt }, stale }: Props) {
  const left = useTickedText((now) => String(resetAt === null || stale ? 0 : partOf(resetAt - now, windowMs)))
  return (
    <>
      <path className="dial-ring" d={arc(94, 0, 1)} />
      {Number(left) > 0 && (
        <path
          className="dial-time"
          d={arc(94, 0, 1)}
          pathLength={100}
          style={{ strokeDasharray: `${Number(left) * 100} 200` }}
        />
      )}
    </>
  )
}

function ResetText({ gauge, stale }: Props) {
  const words = useTickedText((now) => (stale ? '' : resetText(gauge, now)))
  const left = gauge.known ? 'points left' : 'points, a guess'
  return (
    <text className="dial-unit" x={middle} y="164">
      {words === '' ? left : words}
    </text>
  )
}

/** A mark where background work stops: a filled triangle for the reserve, an open one for the limit. */
function Mark({ kind, part }: { kind: MarkKind; part: number }) {
  return (
    <g className={`dial-mark ${kind}`} style={{ transform: `rotate(${angleOf(part)}deg)` }}>
      <line x1={middle} y1={middle - scale - 5} x2={middle} y2={middle - scale + 5} />
      <path d={`M ${middle} 26.5 L ${middle - 4} 34 L ${middle + 4} 34 Z`} />
    </g>
  )
}

export type MarkKind = 'reserve' | 'ceiling'

/** The sign of a mark, for its legend. */
export function MarkSign({ kind }: { kind: MarkKind | 'red' | 'time' }) {
  return (
    <svg
      className={`dial-sign dial-mark ${kind}`}
      viewBox="0 0 12 12"
      width="12"
      height="12"
      aria-hidden="true"
      focusable="false"
    >
      {kind === 'red' || kind === 'time' ? (
        <line x1="1" y1="6" x2="11" y2="6" />
      ) : (
        <path d="M 6 2 L 1.8 10 L 10.2 10 Z" />
      )}
    </svg>
  )
}
