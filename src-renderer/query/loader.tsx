import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { untilLoaded } from '../app/screens/lazy-screens.ts'

const load = () => import('./screen.tsx')
type Screen = Awaited<ReturnType<typeof load>>['QueryScreen']

/** The query screen: editor and GraphQL are files of the build that are loaded when it is first opened. */
export function QueryLoader({ coreLost }: { coreLost: boolean }) {
  const [loaded, setLoaded] = useState<{ Screen: Screen } | null>(null)
  useEffect(() => untilLoaded(load, systemClock, ({ QueryScreen }) => setLoaded({ Screen: QueryScreen })), [])
  if (loaded !== null) return <loaded.Screen coreLost={coreLost} />
  return (
    <div className="screen" id="query" tabIndex={-1}>
      <p className="screen-note" role="status">
        Loading…
      </p>
    </div>
  )
}
