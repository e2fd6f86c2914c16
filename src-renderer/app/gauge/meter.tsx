import { isolated } from '../../../src-shared/text/direction.ts'
import { isLow, partOf, pointsText, share, stopsAt } from '../../lib/format/points.ts'
import { useReset, type OneGauge } from './reset.ts'

/** The remaining points, with ticks where the reserve begins and where background work stops. */
export function Meter({ gauge, stale }: OneGauge) {
  const reset = useReset({ gauge, stale })
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the element cannot be drawn alike everywhere
    <span
      className="meter"
      role="meter"
      aria-label={`Points left, ${isolated(gauge.name)}`}
      aria-valuemin={0}
      aria-valuemax={gauge.limit}
      aria-valuenow={gauge.remaining}
      aria-valuetext={[pointsText(gauge), reset].filter((part) => part !== '').join(', ')}
      data-low={isLow(gauge)}
    >
      <MeterBar gauge={gauge} />
    </span>
  )
}

export function MeterBar({ gauge }: Pick<OneGauge, 'gauge'>) {
  const stop = stopsAt(gauge)
  const at = (points: number) => ({ insetInlineStart: `${partOf(points, gauge.limit) * 100}%` })
  return (
    <>
      <span className="meter-track">
        <span className="meter-fill" style={{ inlineSize: `${share(gauge) * 100}%` }} />
      </span>
      {gauge.reserve > 0 && <span className="meter-tick reserve" style={at(gauge.reserve)} />}
      {stop !== null && <span className="meter-tick ceiling" style={at(stop)} />}
    </>
  )
}
