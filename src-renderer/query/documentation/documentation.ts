import { createStore, type Store } from '../../lib/store.ts'
import { sidePanel } from '../side-panel.ts'

/** A page of the documentation: a type, with the member that is looked for. Without a type: the list of root types. */
export interface Place {
  type: string | null
  member: string | null
}

export interface Documentation {
  /** The pages that were gone through, and the shown one among them. */
  places: readonly Place[]
  at: number
  /** Increases when the panel is to take the focus. */
  focus: number
}

const start: Place = { type: null, member: null }

/** Most pages that are remembered. */
const maxPlaces = 100

/** The panel with the documentation of the schema. It outlives the screen. */
export const documentation: Store<Documentation> = createStore<Documentation>({
  places: [start],
  at: 0,
  focus: 0,
})

/** Returns the shown page. */
export const placeIn = ({ places, at }: Documentation): Place => places[at] ?? start

/** Opens the panel, at a page where one is given, and with the focus in it where that is wanted. */
export function openDocumentation(place: Place | null, takesFocus: boolean): void {
  sidePanel.set('documentation')
  const last = documentation.get()
  const focus = last.focus + (takesFocus ? 1 : 0)
  const shown = placeIn(last)
  const isShown = place === null || (shown.type === place.type && shown.member === place.member)
  if (isShown) return documentation.set({ ...last, focus })
  const places = [...last.places.slice(0, last.at + 1), place].slice(-maxPlaces)
  documentation.set({ places, at: places.length - 1, focus })
}

/** Goes back (-1) or forward (1) among the pages that were gone through. */
export function go(step: -1 | 1): void {
  const last = documentation.get()
  const at = Math.min(last.places.length - 1, Math.max(0, last.at + step))
  documentation.set({ ...last, at })
}

export const closeDocumentation = (): void => sidePanel.set(null)
