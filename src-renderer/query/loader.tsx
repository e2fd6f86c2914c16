import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { useStore } from '../lib/store.ts'
import { untilLoaded } from '../app/screens/lazy-screens.ts'

const load = () => import('./screen.tsx')
type Screen = Awaited<ReturnType<typeof load>>['QueryScreen']
import { OffersLoader } from './offers/loader.tsx'
import { offersShown } from './offers/offers-state.ts'

/** The query screen, or the page of what a service offers, in its place. */
export function QueryLoader({ coreLost }: { coreLost: boolean }) {
  const offers = useStore(offersShown)
  return offers === null ? (
    <Loaded coreLost={coreLost} />
  ) : (
    <OffersLoader connection={offers.connection} coreLost={coreLost} />
  )
}

/** The query screen: editor and GraphQL are files of the build that are loaded when it is first opened. */
function Loaded({ coreLost }: { coreLost: boolean }) {
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
