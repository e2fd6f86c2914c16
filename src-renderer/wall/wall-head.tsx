import type { Counts } from '../../src-shared/model/inventory.ts'
import { clockTime, zone } from '../lib/format/time.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { StatusMark } from '../lib/ui/status-mark.tsx'
import { numbers, quantityText, valueOf } from '../overview/numbers/numbers.tsx'
import { useSettings } from '../settings/use-settings.ts'

interface Props {
  /** What is shown, where that is not all devices. */
  title: string
  /** Null while they are read. */
  totals: Counts | null
  isDemo: boolean
  /** The number of answers of the core, so that a frozen picture is seen. */
  beats: number
}

/** The numbers of the wall display, and its clock. */
export function WallHead({ title, totals, isDemo, beats }: Props) {
  return (
    <header className="wall-head">
      <dl className="wall-numbers">
        {numbers.map(({ quantity, word, status }) => (
          <div
            key={quantity}
            data-quantity={quantity}
            data-any={totals !== null && (valueOf(quantity, totals) ?? 0) > 0}
          >
            <dt>
              {status !== null && <StatusMark status={status} />}
              {word}
            </dt>
            <dd>{totals === null ? '–' : quantityText(quantity, valueOf(quantity, totals))}</dd>
          </div>
        ))}
      </dl>
      {isDemo && <strong className="wall-demo">Demo</strong>}
      {title !== '' && <p className="wall-title">{title}</p>}
      <Clock beats={beats} />
    </header>
  )
}

function Clock({ beats }: Pick<Props, 'beats'>) {
  const { times } = useSettings()
  const time = useTickedText((now) => clockTime(now, now, times))
  const place = useTickedText((now) => zone(now, times))
  const day = useTickedText((now) => dayText(now, times))
  return (
    <div className="wall-clock">
      <p className="wall-time">
        <span className="wall-beat" data-beat={beats % 2} aria-hidden="true" />
        {time}
      </p>
      <p className="wall-zone">
        {day} · {place}
      </p>
    </div>
  )
}

const dayText = (now: number, times: 'local' | 'utc'): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(times === 'utc' && { timeZone: 'UTC' }),
  }).format(now)
