import { useEffect, useState, type ComponentProps } from 'react'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { untilLoaded } from '../app/screens/lazy-screens.ts'

const load = () => import('./screen.tsx')
type Screen = Awaited<ReturnType<typeof load>>['OverviewScreen']

/** The overview, a file of the build that is loaded when it is first opened. */
export function OverviewLoader(props: ComponentProps<Screen>) {
  const [loaded, setLoaded] = useState<{ Screen: Screen } | null>(null)
  useEffect(() => untilLoaded(load, systemClock, ({ OverviewScreen }) => setLoaded({ Screen: OverviewScreen })), [])
  if (loaded !== null) return <loaded.Screen {...props} />
  return (
    <div className="screen" id="overview" tabIndex={-1}>
      <p className="screen-note" role="status">
        Loading…
      </p>
    </div>
  )
}
