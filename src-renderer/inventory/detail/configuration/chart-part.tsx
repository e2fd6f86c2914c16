import { useId, useState } from 'react'
import { chartSpans, chartTopics, type ChartSeries } from '../../../../src-shared/contract/configuration-calls.ts'
import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import { useAppContext } from '../../../lib/context.ts'
import { Isolated } from '../../../lib/ui/isolated.tsx'
import { Moment } from '../../../lib/ui/moment.tsx'
import { Part } from '../../../lib/ui/part.tsx'
import { ReadButton, type SectionProps } from './read-button.tsx'
import { usePress } from './use-press.ts'

type Chart = CallOutput<'configuration.chart'>
type Span = (typeof chartSpans)[number]

const spanNames: Readonly<Record<Span, string>> = { WEEK: '7 days', MONTH: '30 days' }

/** A chart of the device. The service documents no list of topics: known ones are proposed, and others can be typed. */
export function ChartPart(props: SectionProps) {
  const { session } = useAppContext()
  const [topic, setTopic] = useState<string>(chartTopics[0])
  const [span, setSpan] = useState<Span>('WEEK')
  const { value, fault, busy, press, forget } = usePress<Chart>()
  const { device } = props
  const topics = useId()
  return (
    <Part title="Charts">
      <div className="chart-choice">
        <label>
          Topic{' '}
          <input
            className="input"
            list={topics}
            value={topic}
            maxLength={100}
            onChange={(event) => {
              setTopic(event.target.value)
              forget()
            }}
          />
        </label>
        <datalist id={topics}>
          {chartTopics.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </datalist>
        <label>
          Time{' '}
          <select
            className="input"
            value={span}
            onChange={(event) => {
              setSpan(chartSpans.find((each) => each === event.target.value) ?? 'WEEK')
              forget()
            }}
          >
            {chartSpans.map((each) => (
              <option key={each} value={each}>
                {spanNames[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ReadButton
        {...props}
        coreLost={props.coreLost || topic.trim() === ''}
        busy={busy}
        fault={fault}
        onPress={() => press(() => session.pipe.call('configuration.chart', { device, topic: topic.trim(), span }))}
      >
        Read chart
      </ReadButton>
      {value !== null && <ChartView chart={value} />}
    </Part>
  )
}

function ChartView({ chart: { series, text } }: { chart: Chart }) {
  if (text !== null)
    return (
      <>
        <p className="detail-note">The service’s series have a form that Muster does not know.</p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
        <pre className="chart-text" tabIndex={0} role="region" aria-label="Series">
          {text}
        </pre>
      </>
    )
  const drawn = series.filter(({ points }) => points.length > 0)
  if (drawn.length === 0) return <p className="detail-note">The chart has no values.</p>
  return drawn.map((each, index) => <Series key={`${each.name} ${index}`} series={each} />)
}

const [width, height, pad] = [300, 90, 4]

function Series({ series: { name, unit, points } }: { series: ChartSeries }) {
  const values = points.map(({ value }) => value)
  const times = points.map(({ at }) => at)
  const [from, to] = [least(times), most(times)]
  const [low, high] = [Math.min(0, least(values)), most(values)]
  const x = (at: number) => pad + ((at - from) / (to - from || 1)) * (width - 2 * pad)
  const y = (value: number) => height - pad - ((value - low) / (high - low || 1)) * (height - 2 * pad)
  const title = `${name}${unit === '' ? '' : `, ${unit}`}`
  return (
    <figure className="chart">
      <figcaption>
        <Isolated>{title}</Isolated>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" preserveAspectRatio="none">
        <polyline points={points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')} />
        {points.length === 1 && <circle cx={width / 2} cy={y(values[0] ?? 0)} r={3} />}
      </svg>
      <p className="chart-range" aria-hidden="true">
        <span>
          <Moment at={from} />
        </span>
        <span>
          {low} to {high}
        </span>
        <span>
          <Moment at={to} />
        </span>
      </p>
      <table className="sr-only" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, value }, index) => (
            <tr key={`${at} ${index}`}>
              <td>
                <Moment at={at} />
              </td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

const least = (all: readonly number[]): number => all.reduce((one, other) => Math.min(one, other), Infinity)
const most = (all: readonly number[]): number => all.reduce((one, other) => Math.max(one, other), -Infinity)
