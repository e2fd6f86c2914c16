import { everything, type Counts, type DeviceStatus } from '../../../src-shared/model/inventory.ts'
import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import { percentText } from '../../../src-shared/text/counts.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText, total } from '../../lib/format/numbers.ts'
import { shortTime, type Times } from '../../lib/format/time.ts'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { dataSince, extremesOf, lineOf, type Day, type Line, type Quantity } from './fleet-day.ts'
import { Sparkline } from './sparkline.tsx'

interface Props {
  counts: Counts
  /** Null while it is read. */
  day: Day | null
  /** The same day a week ago; null while it is read. */
  lastWeek: Day | null
  /** Why there is no day; null where there is one, or while it is read. */
  fault: Fault | null
  coreLost: boolean
}

/** The numbers, with how each is drawn. */
export const numbers = [
  { quantity: 'online', word: 'Online', status: 'connected', tone: 'good', filter: 'status:online' },
  { quantity: 'offline', word: 'Offline', status: 'disconnected', tone: 'bad', filter: 'status:offline' },
  { quantity: 'unknown', word: 'Unknown', status: 'unknown', tone: 'unknown', filter: 'status:unknown' },
  { quantity: 'share', word: 'Share online', status: null, tone: 'good', filter: 'status:online' },
] as const satisfies readonly {
  quantity: Quantity
  word: string
  status: DeviceStatus | null
  tone: 'good' | 'bad' | 'unknown'
  filter: string
}[]

/** The numbers of the fleet now, each beside its last 24 hours and its value a week ago. */
export function Numbers(props: Props) {
  return (
    <section className="overview-numbers" aria-label="Fleet">
      {numbers.map((one) => (
        <NumberTile key={one.quantity} one={one} {...props} />
      ))}
    </section>
  )
}

function NumberTile({ one, counts, day, lastWeek, fault, coreLost }: Props & { one: (typeof numbers)[number] }) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const devices = total(counts)
  const line = day === null ? null : lineOf(day, one.quantity, devices)
  // How many devices there were a week ago, the journal does not say.
  const before = lastWeek === null || one.quantity === 'unknown' ? null : lineOf(lastWeek, one.quantity, devices)
  return (
    <div className="overview-number">
      <button
        type="button"
        className="overview-number-button"
        disabled={coreLost}
        onClick={() => session.open({ scope: everything, filter: one.filter, device: null })}
      >
        <span className="overview-number-word">
          {one.status !== null && <StatusMark status={one.status} />}
          {one.word}
        </span>
        <span className="overview-number-value">{quantityText(one.quantity, valueOf(one.quantity, counts))}</span>
      </button>
      <div className="overview-number-day">
        {line === null ? (
          <span className={fault === null ? 'overview-line-loading' : ''} />
        ) : (
          <Sparkline
            line={line}
            before={before ?? undefined}
            tone={one.tone}
            fromZero={one.quantity === 'offline' || one.quantity === 'unknown'}
            label={lineText(one.word, one.quantity, line, times)}
          />
        )}
        <p className="overview-number-note">
          {fault === null ? noteText(one.quantity, line, before, times) : explain(fault).title}
        </p>
      </div>
    </div>
  )
}

/** Returns the present value; null where there is none. */
export const valueOf = (quantity: Quantity, { connected, disconnected, unknown }: Counts): number | null => {
  switch (quantity) {
    case 'online':
      return connected
    case 'offline':
      return disconnected
    case 'unknown':
      return unknown
    case 'share':
      return connected + disconnected === 0 ? null : connected / (connected + disconnected)
    default:
      return quantity satisfies never
  }
}

/** Returns for example "4,812" or "97.2 %"; a dash without a value. Shares are rounded down, so that 100 % is all. */
export function quantityText(quantity: Quantity, value: number | null): string {
  if (value === null) return '–'
  if (quantity !== 'share') return numberText(value)
  return percentText((Math.floor(value * 1000) / 10).toFixed(1).replace(/\.0$/u, ''))
}

/** Returns the course of a number as a sentence. */
export function lineText(word: string, quantity: Quantity, line: Line, times: Times): string {
  const extremes = extremesOf(line)
  if (extremes === null) return `${word} over the last 24 hours: no data.`
  const since = dataSince(line) ?? line.from
  const { low, high, last } = extremes
  const place = ({ value, at }: typeof low) => `${quantityText(quantity, value)} at ${shortTime(at, line.until, times)}`
  const head = `${word} over the last 24 hours: lowest ${place(low)}, highest ${place(high)}, last ${quantityText(quantity, last)}.`
  return since > line.from ? `${head} No data before ${shortTime(since, line.until, times)}.` : head
}

/** Returns the value a week ago, and from when on there is data. */
function noteText(quantity: Quantity, line: Line | null, before: Line | null, times: Times): string {
  if (line === null) return 'Reading the last 24 hours…'
  const since = dataSince(line)
  if (since === null) return 'No data of the last 24 hours'
  if (since > line.from) return `No data before ${shortTime(since, line.until, times)}`
  if (before === null) return 'Last 24 hours'
  const last = before.values.at(-1) ?? null
  return last === null ? 'No data a week ago' : `${quantityText(quantity, last)} a week ago`
}
