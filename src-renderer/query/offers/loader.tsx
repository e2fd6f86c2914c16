import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import { untilLoaded } from '../../app/screens/lazy-screens.ts'

const load = () => import('./page.tsx')
type Page = Awaited<ReturnType<typeof load>>['OffersPage']

/** The page of what a service offers: a file of the build that is loaded when it is first opened. */
export function OffersLoader({ connection, coreLost }: { connection: string; coreLost: boolean }) {
  const [loaded, setLoaded] = useState<{ Page: Page } | null>(null)
  useEffect(() => untilLoaded(load, systemClock, ({ OffersPage }) => setLoaded({ Page: OffersPage })), [])
  if (loaded !== null) return <loaded.Page key={connection} connection={connection} coreLost={coreLost} />
  return (
    <div className="screen" id="query" tabIndex={-1}>
      <p className="screen-note" role="status">
        Loading…
      </p>
    </div>
  )
}
