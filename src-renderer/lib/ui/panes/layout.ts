import { useSyncExternalStore } from 'react'

/**
 * `wide`: three panes. `medium`: the detail replaces the tree. `narrow`: the tree too opens on request. Measured in CSS
 * pixels, so zoom counts.
 */
export type Layout = 'wide' | 'medium' | 'narrow'

const wide = '(min-width: 1100px)'
const medium = '(min-width: 680px)'

export function useLayout(): Layout {
  return useSyncExternalStore(subscribe, present)
}

function subscribe(listener: () => void): () => void {
  const queries = [wide, medium].map((query) => window.matchMedia(query))
  for (const query of queries) query.addEventListener('change', listener)
  return () => queries.forEach((query) => query.removeEventListener('change', listener))
}

function present(): Layout {
  if (window.matchMedia(wide).matches) return 'wide'
  return window.matchMedia(medium).matches ? 'medium' : 'narrow'
}
