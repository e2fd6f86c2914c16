import type { Line } from './fleet-day.ts'

/** The drawing's own units: it is stretched to its place. */
export const [width, height] = [240, 40]
/** Space above and below, so that the stroke is not cut. */
const margin = 2

interface Props {
  line: Line
  /** The same time a week before, drawn dashed. */
  before?: Line | undefined
  /** The text that says what the line shows. */
  label: string
  tone: 'good' | 'bad' | 'unknown'
  /** The line begins at 0, and not at its lowest value. */
  fromZero?: boolean
}

/** A line over time with gaps where there is no data. */
export function Sparkline({ line, before, label, tone, fromZero = false }: Props) {
  const paths = sparkPaths({ line, before, fromZero })
  return (
    <svg
      className={`sparkline sparkline-${tone}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {paths.before !== null && <path className="sparkline-before" d={paths.before} />}
      {paths.area !== null && <path className="sparkline-area" d={paths.area} />}
      <path className="sparkline-line" d={paths.line} />
    </svg>
  )
}

/** Returns the paths of a drawing, in its own units. */
export function sparkPaths({ line, before, fromZero = false }: Pick<Props, 'line' | 'before' | 'fromZero'>): {
  line: string
  before: string | null
  area: string | null
} {
  const all = [...line.values, ...(before?.values ?? [])].filter((value) => value !== null)
  const scale = scaleOf(all, fromZero)
  return {
    line: pathOf(line.values, scale),
    before: before === undefined ? null : pathOf(before.values, scale),
    area: fromZero ? areaOf(line.values, scale) : null,
  }
}

type Scale = (value: number) => number

function scaleOf(values: readonly number[], fromZero: boolean): Scale {
  const high = values.reduce((most, value) => Math.max(most, value), fromZero ? 0 : -Infinity)
  const low = fromZero ? 0 : values.reduce((least, value) => Math.min(least, value), Infinity)
  const span = high - low
  const [top, bottom] = [margin, height - margin]
  if (span <= 0) return () => (fromZero ? bottom : (top + bottom) / 2)
  return (value) => bottom - ((value - low) / span) * (bottom - top)
}

/** Runs of parts with data, as points in the drawing's units. */
function runsOf(values: readonly (number | null)[], scale: Scale): { x: number; y: number }[][] {
  const runs: { x: number; y: number }[][] = []
  let run: { x: number; y: number }[] | null = null
  values.forEach((value, part) => {
    if (value === null) return void (run = null)
    const point = { x: ((part + 0.5) / values.length) * width, y: scale(value) }
    if (run === null) runs.push((run = [point]))
    else run.push(point)
  })
  return runs
}

const pointText = ({ x, y }: { x: number; y: number }) => `${x.toFixed(1)} ${y.toFixed(1)}`

/** A single part is a short stroke. */
const lineText = (run: { x: number; y: number }[]) =>
  run.length === 1 ? `M${run.map(pointText).join()}h1` : `M${run.map(pointText).join('L')}`

const pathOf = (values: readonly (number | null)[], scale: Scale): string =>
  runsOf(values, scale).map(lineText).join('')

const areaOf = (values: readonly (number | null)[], scale: Scale): string =>
  runsOf(values, scale)
    .map((run) => `${lineText(run)}L${run.at(-1)?.x.toFixed(1)} ${height}L${run[0]?.x.toFixed(1)} ${height}Z`)
    .join('')
