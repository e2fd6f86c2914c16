import type { SavedOperation } from '../../../src-shared/model/kept-queries.ts'
import { musterOperations } from '../../../src-shared/query/muster-operations.ts'
import { musterFolder } from './operations.ts'

/** An operation in the list. `isOwn`: the operator saved it; else it comes with Muster. */
export type Listed = SavedOperation & { isOwn: boolean }

export interface Folder {
  id: string
  name: string
  operations: readonly Listed[]
}

/** The name of those without a folder. */
const noFolder = 'Saved'

/**
 * Returns the folders by name, first of those without one, last of those that come with Muster; within them by name. `text`: only what
 * has it in its name, its folder or its document; folders without any are left out.
 */
export function foldersOf(saved: readonly SavedOperation[], text: string): Folder[] {
  const wanted = text.trim().toLowerCase()
  const own = saved.map((each) => ({ ...each, isOwn: true }))
  const names = [...new Set(own.map(({ folder }) => folder))].toSorted((one, other) => one.localeCompare(other))
  const folders: Folder[] = names.map((name) => ({
    id: `folder-${name}`,
    name: name === '' ? noFolder : name,
    operations: own
      .filter(({ folder }) => folder === name)
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  }))
  const muster = musterOperations.map((each) => ({ ...each, folder: musterFolder, isOwn: false }))
  // An own folder may have any name, so that the id of this one has no such beginning.
  return [...folders, { id: 'muster', name: musterFolder, operations: muster }]
    .map((folder) => ({ ...folder, operations: folder.operations.filter((each) => hasText(each, wanted)) }))
    .filter(({ operations }) => operations.length > 0)
}

const hasText = ({ name, folder, document }: Listed, wanted: string): boolean =>
  wanted === '' || [name, folder, document].some((each) => each.toLowerCase().includes(wanted))
