import { useSyncExternalStore } from 'react'

/** `wide`: three panes. `medium`: the tree gives way to the detail. `narrow`: the tree too is called up. In CSS pixels, so zoom counts. */
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
