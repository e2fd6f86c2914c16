import { useEffect } from 'react'
import { useAppContext } from '../lib/context.ts'
import { afterFrames } from '../lib/ui/focus.ts'

/** Name in the session storage, which a reload keeps. */
const key = 'muster.section'

/**
 * Brings a section back into view, with the focus on its heading, when the window began anew while it was in view.
 * `isReady`: the section has its content.
 */
export function useLanding(id: string, isReady: boolean): void {
  const { session } = useAppContext()
  useEffect(
    () =>
      session.pipe.on('restarted', () => {
        if (isInView(document.getElementById(id))) window.sessionStorage.setItem(key, id)
      }),
    [session, id],
  )
  useEffect(() => {
    if (!isReady || window.sessionStorage.getItem(key) !== id) return undefined
    return afterFrames(() => {
      window.sessionStorage.removeItem(key)
      const section = document.getElementById(id)
      section?.scrollIntoView({ block: 'start' })
      section?.querySelector('h2')?.focus({ preventScroll: true })
    })
  }, [id, isReady])
}

function isInView(section: HTMLElement | null): boolean {
  if (section === null) return false
  const { top, bottom } = section.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
