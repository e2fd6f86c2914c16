import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { CallInput } from '../../../src-shared/contract/contract.ts'
import type { Place } from '../filter/view.ts'

/** The order and the lines of the tree, and the conversion of a row to a step of a path. */
export interface TreeSettings {
  /** Returns the order, and which places are left out. All calls must have the same, because lines are numbered by it. */
  shape: () => Pick<CallInput<'inventory.tree'>, 'sort' | 'withoutEmpty'>
  /** Returns a line or a place as a step of a path. */
  placeOf: (place: Pick<TreeRow, 'id' | 'kind' | 'name' | 'connections'>) => Place
}
