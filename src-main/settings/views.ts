import { FaultError } from '../../src-shared/model/fault.ts'
import { savedView, type SavedView } from '../../src-shared/model/inventory.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'

/** Number of views that the window counts at a time (contract.ts, `inventory.totals`). */
const maxViews = 100

export interface ViewsOptions {
  data: Pick<InventoryData, 'views' | 'saveView' | 'removeView'>
  log: Log
  onChange: (views: SavedView[]) => void
}

/**
 * The operator's saved views, in order of creation. They are in the journal, so that neither a damaged cache nor a
 * removed connection removes them.
 */
export interface OperatorViews {
  all(): SavedView[]
  /**
   * Resolves when the view is on disk. Rejects with a fault of kind `storage`, or `input` when there are too many; then
   * nothing was changed.
   */
  save(view: SavedView): Promise<void>
  remove(id: string): Promise<void>
  /** Reads the views again, because another member of the team has changed them. */
  reload(): Promise<void>
}

export async function openViews({ data, log, onChange }: ViewsOptions): Promise<OperatorViews> {
  let views = readable(await data.views(), log)
  const changed = async () => {
    views = readable(await data.views(), log)
    onChange(views)
  }
  return {
    all: () => views,
    reload: changed,
    async save(view) {
      if (views.length >= maxViews && views.every(({ id }) => id !== view.id)) {
        throw new FaultError('input', `name: There are ${maxViews} views already. Remove one first.`)
      }
      await data.saveView(view)
      await changed()
    },
    async remove(id) {
      await data.removeView({ id })
      await changed()
    },
  }
}

/**
 * Returns the readable views. Those that another version of Muster wrote may be unreadable: they stay in the journal
 * and are not shown.
 */
function readable(stored: unknown[], log: Log): SavedView[] {
  const views = stored.flatMap((view) => savedView.safeParse(view).data ?? [])
  if (views.length < stored.length) log('warn', `${stored.length - views.length} of the saved views cannot be read`)
  return views
}
