import { contained } from '../../../src-shared/text/direction.ts'
import type { ReactNode } from 'react'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { reconciledText } from '../../lib/format/connection-status.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { basisText, ceilingText, forecastText, rejectionText, reserveText } from '../../lib/format/pacing.ts'
import { littleShare, pointsText } from '../../lib/format/points.ts'
import { Burn } from './burn.tsx'
import { Dial, MarkSign } from './dial.tsx'
import { Recent } from './recent.tsx'
import { useReset, type OneGauge } from './reset.ts'
import { Waiting } from './waiting.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

/**
 * The detail of one credential set: dial and texts, the use of this rate window, waiting requests, and the last
 * operations.
 */
export function GaugeDetail({ gauge, stale, oneOfSeveral = false }: OneGauge & { oneOfSeveral?: boolean }) {
  return (
    <section className="gauge-detail" aria-label={contained(gauge.name)}>
      {!oneOfSeveral && (
        <p className="gauge-name">
          <Isolated className="clip" title={gauge.name}>
            {gauge.name}
          </Isolated>
        </p>
      )}
      <div className="gauge-head">
        <Dial gauge={gauge} stale={stale} />
        <Facts gauge={gauge} stale={stale} />
      </div>
      {!stale && <Waiting waiting={gauge.waiting} waits={gauge.waits} />}
      <Burn gauge={gauge} />
      <Recent recent={gauge.recent} short={oneOfSeveral} />
    </section>
  )
}

/** The values of the dial as text, and those that it does not show. */
function Facts({ gauge, stale }: OneGauge) {
  const { times } = useSettings()
  const reset = useReset({ gauge, stale })
  const forecast = useTickedText((now) => (stale ? '' : forecastText(gauge, now, times)))
  const rejections = useTickedText((now) => rejectionText(gauge, now))
  return (
    <div className="gauge-facts">
      <p className="gauge-left">
        {pointsText(gauge)}
        {reset !== '' && `, ${reset}`}.
      </p>
      <dl>
        <Fact sign="reserve" name="Reserved">
          {reserveText(gauge)}
        </Fact>
        <Fact sign="ceiling" name="Background limit">
          {ceilingText(gauge)}
        </Fact>
        <Fact sign="red" name="Low">
          below {numberText(Math.round(gauge.limit * littleShare))} points
        </Fact>
      </dl>
      {forecast !== '' && <p className="gauge-forecast">{forecast}</p>}
      <p className="muted-text">
        {stale ? 'No service answers now: these are the last known numbers.' : basisText(gauge)}
      </p>
      {rejections !== '' && <p className="muted-text">{rejections}</p>}
      <Reconciled gauge={gauge} />
    </div>
  )
}

/** Texts about connections that poll some of their devices, which costs points repeatedly. */
function Reconciled({ gauge }: Pick<OneGauge, 'gauge'>) {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? []
  return reconciledText(connections.filter(({ id }) => gauge.connections.includes(id))).map(({ id, words }) => (
    <p key={id}>{words}</p>
  ))
}

function Fact({ sign, name, children }: { sign: 'reserve' | 'ceiling' | 'red'; name: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <MarkSign kind={sign} />
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
