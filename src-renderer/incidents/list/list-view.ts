import type { ListState } from '../format.ts'

/** The list that is shown, and the text that it is searched for. */
export interface ListView {
  state: ListState
  text: string
}
