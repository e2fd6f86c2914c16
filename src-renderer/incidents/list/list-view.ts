import type { ListState } from '../format.ts'

/** The shown list and its search text. */
export interface ListView {
  state: ListState
  text: string
}
