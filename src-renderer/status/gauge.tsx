import { Button, DialogTrigger, Popover } from 'react-aria-components'
import { lanes, type Gauge } from '../../src-shared/gauge.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useWords } from '../ticker.ts'
import { Age } from '../ui/moment.tsx'
import { figure, many } from '../words/numbers.ts'
import { laneWords, pointsWords, resetWords, byShare, scarcest, share, staleShort, staleWords, asSaid } from '../words/points.ts'

/** The scarcest balance as a meter, and a button that opens all of them with what they were spent on. `stale`: no service answers now, so these are the last known figures. */
export function Gauges({ gauges, stale }: { gauges: readonly Gauge[]; stale: boolean }) {
  const shown = stale ? gauges.map(asSaid) : gauges
  const gauge = scarcest(shown)
  if (gauge === undefined) return null
  return (
    <span className="gauge" data-stale={stale}>
      <Meter gauge={gauge} stale={stale} />
      <DialogTrigger>
        <Points gauge={gauge} stale={stale} />
        <Popover className="popover" placement="top end" offset={6}>
          {/* In a low window it scrolls, and so must be reached by the keys that scroll. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
          <div className="dialog small wide" tabIndex={0}>
            <h2>Points</h2>
            {shown.length === 1 ? <GaugeDetail gauge={gauge} stale={stale} /> : byShare(shown).map((each) => <GaugeLine key={each.name} gauge={each} open={each === gauge} stale={stale} />)}
          </div>
        </Popover>
      </DialogTrigger>
    </span>
  )
}

interface OneGauge {
  gauge: Gauge
  stale: boolean
}

/** When the points come back, or how old the figures are. */
function useReset({ gauge, stale }: OneGauge, words = staleWords): string {
  const { times } = useSettings()
  return useWords((now) => (stale ? words(gauge, now, times) : resetWords(gauge, now)))
}

function Points({ gauge, stale }: OneGauge) {
  const reset = useReset({ gauge, stale }, staleShort)
  return <Button className="status-button" aria-label={`Points: ${pointsWords(gauge)}${stale ? ', last known' : ''}. Cost of the last operations`}>{figure(gauge.remaining)} points{!gauge.known && ' (guess)'}<span className="gauge-reset">{reset}</span></Button>
}

function Meter({ gauge, stale }: OneGauge) {
  const reset = useReset({ gauge, stale })
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the element cannot be drawn alike everywhere
    <span
      className="meter" role="meter" aria-label={`Points left, ${gauge.name}`} aria-valuemin={0} aria-valuemax={gauge.limit} aria-valuenow={gauge.remaining}
      aria-valuetext={[pointsWords(gauge), reset].filter((part) => part !== '').join(', ')} data-low={share(gauge) < 0.15}
    >
      <span className="meter-fill" style={{ width: `${share(gauge) * 100}%` }} />
    </span>
  )
}

/** One of several: a line that opens. */
function GaugeLine({ gauge, open, stale }: OneGauge & { open: boolean }) {
  return (
    <details className="gauge-line" open={open}>
      <summary>
        <bdi className="clip">{gauge.name}</bdi>
        <span className="number">{figure(gauge.remaining)}</span>
        <span className="meter" data-low={share(gauge) < 0.15} aria-hidden><span className="meter-fill" style={{ width: `${share(gauge) * 100}%` }} /></span>
      </summary>
      <GaugeDetail gauge={gauge} stale={stale} />
    </details>
  )
}

function GaugeDetail({ gauge, stale }: OneGauge) {
  const reset = useReset({ gauge, stale })
  return (
    <section className="gauge-detail" aria-label={gauge.name}>
      <h3><bdi className="clip">{gauge.name}</bdi></h3>
      <p>{pointsWords(gauge)}{reset !== '' && `, ${reset}`}.{gauge.waiting > 0 && ` ${many(gauge.waiting, 'request')} waiting.`}</p>
      <h4>Used by Muster since the last reset</h4>
      <ul className="lanes">
        {lanes.map((lane) => (
          <li key={lane}>
            <span>{laneWords[lane]}</span>
            <span className="lane-bar"><span style={{ width: `${Math.min(100, (gauge.burned[lane] / Math.max(1, gauge.limit)) * 100)}%` }} /></span>
            <span className="number">{figure(gauge.burned[lane])}</span>
          </li>
        ))}
      </ul>
      <h4>Last operations</h4>
      {gauge.recent.length === 0 ? <p className="quiet-text">None yet.</p> : <Recent recent={gauge.recent} />}
    </section>
  )
}

function Recent({ recent }: Pick<Gauge, 'recent'>) {
  return (
    <table className="recent">
      <thead><tr><th scope="col">Operation</th><th scope="col">For</th><th scope="col" className="number">Points</th><th scope="col" className="number">Age</th></tr></thead>
      <tbody>
        {recent.map(({ name, lane, cost, at }, index) => (
          <tr key={`${at} ${index}`}><td><bdi className="clip" title={name}>{name}</bdi></td><td>{laneWords[lane]}</td><td className="number">{figure(cost)}</td><td className="number"><Age at={at} /></td></tr>
        ))}
      </tbody>
    </table>
  )
}
