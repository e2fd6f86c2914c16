import { useLoaded } from '../../app/screens/lazy-screens.ts'
import { LoadingScreen } from '../loading-screen.tsx'

const load = () => import('./page.tsx')

/** The page of what a service offers: a file of the build that is loaded when it is first opened. */
export function OffersLoader({ connection, coreLost }: { connection: string; coreLost: boolean }) {
  const page = useLoaded(load)
  return page === null ? (
    <LoadingScreen />
  ) : (
    <page.OffersPage key={connection} connection={connection} coreLost={coreLost} />
  )
}
