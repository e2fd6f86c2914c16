import { FaultError } from '../../src-shared/model/fault.ts'
import { savedView, type SavedView } from '../../src-shared/model/inventory.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'

/** As many as the window counts at a time (contract.ts, `inventory.totals`). */
const mostViews = 100

export interface ViewsOptions {
  data: Pick<InventoryData, 'views' | 'saveView' | 'removeView'>
  log: Log
  onChange: (views: SavedView[]) => void
}

/** The operator's saved views, in the order in which they were made. They are in the journal: no damage of the cache and no removed connection takes them. */
export interface OperatorViews {
  all(): SavedView[]
  /** On disk when this resolves. Rejects with a fault of kind `storage`, or `input` when there are too many; then nothing was changed. */
  save(view: SavedView): Promise<void>
  remove(id: string): Promise<void>
}

export async function openViews({ data, log, onChange }: ViewsOptions): Promise<OperatorViews> {
  let views = readable(await data.views(), log)
  const changed = async () => {
    views = readable(await data.views(), log)
    onChange(views)
  }
  return {
    all: () => views,
    async save(view) {
      if (views.length >= mostViews && views.every(({ id }) => id !== view.id)) {
        throw new FaultError('input', `name: There are ${mostViews} views already. Remove one first.`)
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

/** What another version of Muster wrote and this one cannot read stays in the journal, and is not shown. */
function readable(stored: unknown[], log: Log): SavedView[] {
  const views = stored.flatMap((view) => savedView.safeParse(view).data ?? [])
  if (views.length < stored.length) log('warn', `${stored.length - views.length} of the saved views cannot be read`)
  return views
}
