import { useEffect } from 'react'
import { useAppContext } from '../../lib/context.ts'
import { useStore } from '../../lib/store.ts'
import type { Incidents } from '../incidents.ts'
import { lookersOf, lookingText } from './words.ts'

/** Tells the team that this window shows an incident, while it can be seen. `id`: null for none. */
export function useLook({ team }: Incidents, id: string | null, coreLost: boolean): void {
  const { session } = useAppContext()
  const isJoined = useStore(team.state, (state) => state !== null)
  useEffect(() => {
    if (!isJoined || coreLost || id === null) return undefined
    const tell = (incident: string | null) => void session.pipe.call('team.looking', { incident })
    const follow = () => tell(document.visibilityState === 'visible' ? id : null)
    const leave = () => tell(null)
    follow()
    document.addEventListener('visibilitychange', follow)
    window.addEventListener('focus', follow)
    window.addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      window.removeEventListener('focus', follow)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [session, isJoined, coreLost, id])
}

/** Who else looks at an incident, as a sentence. */
export function Lookers({ incidents: { team }, id }: { incidents: Incidents; id: string }) {
  const words = useStore(team.state, (state) => (state === null ? null : lookingText(lookersOf(state, [id]), 1)))
  return words === null ? null : (
    <p className="incident-looking" aria-live="polite">
      {words}
    </p>
  )
}
