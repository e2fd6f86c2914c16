import { Pause } from 'lucide-react'
import { useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { lastKnownText, pointsText, scarcest, staleShort } from '../../lib/format/points.ts'
import { Activities } from './activities.tsx'
import { GaugeDetail } from './detail.tsx'
import { GaugeList } from './list.tsx'
import { Meter } from './meter.tsx'
import { useReset, type OneGauge } from './reset.ts'

interface Props {
  gauges: readonly Gauge[]
  /** Returns whether no service of a gauge answers, so that its numbers are the last known ones. */
  isStale: (gauge: Gauge) => boolean
  coreLost: boolean
  /** Opens the settings of points. */
  onSettings: () => void
}

/** The scarcest balance as a meter, with a button that opens the details of all. */
export function Gauges({ gauges, isStale, coreLost, onSettings }: Props) {
  const [open, setOpen] = useState(false)
  const shown = gauges.map((each) => (isStale(each) ? lastKnownText(each) : each))
  // A balance of an answering service comes first, because only that can block Muster now.
  const gauge = scarcest(shown.filter((each) => !isStale(each))) ?? scarcest(shown)
  if (gauge === undefined) return null
  const stale = isStale(gauge)
  const toSettings = () => {
    setOpen(false)
    onSettings()
  }
  return (
    <span className="gauge" data-stale={stale}>
      <Meter gauge={gauge} stale={stale} />
      <DialogTrigger isOpen={open} onOpenChange={setOpen}>
        <Points gauge={gauge} stale={stale} />
        <Popover className="popover points-popover" placement="top end" offset={6} maxHeight={760}>
          {/* It scrolls in a low window, and so must be reachable by keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
          <div className="dialog small points" tabIndex={0}>
            <Activities coreLost={coreLost} onSettings={toSettings} />
            {shown.length === 1 ? (
              <GaugeDetail gauge={gauge} stale={stale} />
            ) : (
              <GaugeList gauges={shown} isStale={isStale} />
            )}
          </div>
        </Popover>
      </DialogTrigger>
    </span>
  )
}

function Points({ gauge, stale }: OneGauge) {
  const { backgroundPaused } = useSettings()
  const reset = useReset({ gauge, stale }, staleShort)
  return (
    <Button
      className="status-button"
      id="points"
      aria-label={`Points: ${pointsText(gauge)}${stale ? ', last known' : ''}${backgroundPaused ? ', background paused' : ''}. Details`}
    >
      <span className={gauge.known ? undefined : 'gauge-guess'}>
        {numberText(gauge.remaining)} points{!gauge.known && ' (guess)'}
      </span>
      <span className="gauge-reset">{reset}</span>
      {backgroundPaused && (
        <span className="gauge-pause">
          <Pause size={12} aria-hidden />
          <span className="gauge-pause-lead">background </span>paused
        </span>
      )}
    </Button>
  )
}
