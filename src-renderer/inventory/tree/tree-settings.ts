import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { TreeSort } from '../../../src-shared/model/tree.ts'
import type { Place } from '../filter/view.ts'

/** The order of the tree, and the conversion of a row to a step of a path. */
export interface TreeSettings {
  sort: () => TreeSort
  /** Returns a line or a place as a step of a path. */
  placeOf: (place: Pick<TreeRow, 'id' | 'kind' | 'name' | 'connections'>) => Place
}
