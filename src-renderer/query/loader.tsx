import { useLoaded } from '../app/screens/lazy-screens.ts'
import { useStore } from '../lib/store.ts'
import { LoadingScreen } from './loading-screen.tsx'
import { OffersLoader } from './offers/loader.tsx'
import { offersShown } from './offers/offers-state.ts'

const load = () => import('./screen.tsx')

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
  const screen = useLoaded(load)
  return screen === null ? <LoadingScreen /> : <screen.QueryScreen coreLost={coreLost} />
}
