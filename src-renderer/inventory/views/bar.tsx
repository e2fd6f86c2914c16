import { Bookmark, BookmarkPlus, MoreHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { isolated } from '../../../src-shared/text/direction.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import type { SavedView } from '../../../src-shared/model/inventory.ts'
import type { Inventory } from '../inventory.ts'
import { queryOf } from '../filter/view.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { useViewCounts } from './counts.ts'
import { NameDialog, type Naming } from './name-dialog.tsx'
import { freeName, proposedName, sameAsked } from './views.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

const none: readonly SavedView[] = []

/** Time (ms) for which a removed view can be restored. */
const undoFor = 10_000

/**
 * The saved views with the number of devices that each lists. The open one can be changed, and the present view can be
 * saved.
 */
export function ViewBar({ inventory }: { inventory: Inventory }) {
  const { session } = useAppContext()
  const views = useStore(session.state, ({ app }) => app?.views) ?? none
  const chosen = useStore(inventory.chosenView)
  const counts = useViewCounts(views)
  const actions = useViewActions(inventory, views)
  const current = views.find(({ id }) => id === chosen)
  const changed = useChanged(inventory, current)
  return (
    <div className="view-bar" role="group" aria-label="Saved views">
      {views.map((view) => (
        <Button
          key={view.id}
          className="view-pill"
          data-chosen={view.id === chosen && !changed}
          aria-pressed={view.id === chosen && !changed}
          onPress={() => void inventory.openView(view)}
        >
          {view.isDefault && <Bookmark size={12} fill="currentColor" aria-label="Default view:" />}
          <Isolated className="clip">{view.name}</Isolated>
          {view.id === chosen && changed && <span className="view-changed">changed</span>}
          {counts.has(view.id) && <span className="view-count">{numberText(counts.get(view.id) ?? 0)}</span>}
        </Button>
      ))}
      {current !== undefined && <ViewMenu view={current} changed={changed} actions={actions} />}
      <Button id="save-view" className="button subtle view-save" onPress={actions.save}>
        <BookmarkPlus size={14} aria-hidden />
        Save view
      </Button>
      <Removed actions={actions} />
      {actions.fault !== null && (
        <span className="view-fault" role="alert">
          {explain(actions.fault).title} {explain(actions.fault).advice}
        </span>
      )}
      <NameDialog naming={actions.naming} onClose={() => actions.setNaming(null)} />
    </div>
  )
}

function Removed({ actions }: { actions: ViewActions }) {
  const { removed, setRemoved } = actions
  useEffect(() => {
    if (removed === null) return undefined
    const timer = setTimeout(() => setRemoved(null), undoFor)
    return () => clearTimeout(timer)
  }, [removed, setRemoved])
  return (
    <span className="view-removed" role="status">
      {removed !== null && (
        <>
          Removed “<Isolated>{removed.name}</Isolated>”.
          <Button className="button subtle" onPress={actions.undo}>
            Undo
          </Button>
        </>
      )}
    </span>
  )
}

function ViewMenu({ view, changed, actions }: { view: SavedView; changed: boolean; actions: ViewActions }) {
  return (
    <MenuTrigger>
      <Button className="icon-button" aria-label={`Change the view ${isolated(view.name)}`}>
        <MoreHorizontal size={15} aria-hidden />
      </Button>
      <Popover className="popover" placement="bottom start">
        <Menu className="menu">
          <MenuItem className="menu-item" isDisabled={!changed} onAction={() => actions.update(view)}>
            Update to current list
          </MenuItem>
          <MenuItem className="menu-item" onAction={() => actions.link(view)}>
            Copy link
          </MenuItem>
          <MenuItem className="menu-item" onAction={() => actions.rename(view)}>
            Rename…
          </MenuItem>
          <MenuItem className="menu-item" onAction={() => actions.makeDefault(view, !view.isDefault)}>
            {view.isDefault ? 'Unset as default view' : 'Set as default view'}
          </MenuItem>
          <MenuItem className="menu-item" onAction={() => actions.remove(view)}>
            Remove
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** Returns whether the present query differs from the saved view. */
function useChanged(inventory: Inventory, view: SavedView | undefined): boolean {
  const asked = useStore(inventory.view)
  const columns = useStore(inventory.columns.state)
  return (
    view !== undefined &&
    !sameAsked(
      view,
      queryOf(asked),
      columns.map(({ id }) => id),
    )
  )
}

type ViewActions = ReturnType<typeof useViewActions>

function useViewActions(inventory: Inventory, views: readonly SavedView[]) {
  const { session } = useAppContext()
  const [naming, setNaming] = useState<Naming | null>(null)
  const [removed, setRemoved] = useState<SavedView | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)

  async function put(view: SavedView) {
    const answer = await session.pipe.call('views.save', view)
    setFault(answer.ok ? null : answer.fault)
    return answer.ok
  }

  const shown = () => inventory.columns.state.get().map(({ id }) => id)

  function save() {
    const { path, filter } = inventory.view.get()
    const name = freeName(proposedName(path.at(-1)?.name, filter), views)
    const onName: Naming['onName'] = ({ withColumns, ...named }) => {
      const query = queryOf(inventory.view.get())
      const view = { ...named, id: crypto.randomUUID(), query, columns: withColumns ? shown() : null }
      void put(view).then((good) => good && inventory.chosenView.set(view.id))
    }
    setNaming({ title: 'Save this view', act: 'Save', name, isDefault: false, withColumns: false, onName })
  }

  async function remove(view: SavedView) {
    const answer = await session.pipe.call('views.remove', { id: view.id })
    setFault(answer.ok ? null : answer.fault)
    if (answer.ok) setRemoved(view)
  }

  return {
    naming,
    setNaming,
    removed,
    setRemoved,
    fault,
    save,
    link: ({ query: { scope, filter } }: SavedView) =>
      void inventory.actions.copyLink({ to: 'devices', scope, filter }),
    remove: (view: SavedView) => void remove(view),
    update: (view: SavedView) =>
      void put({ ...view, query: queryOf(inventory.view.get()), columns: view.columns === null ? null : shown() }),
    makeDefault: (view: SavedView, isDefault: boolean) => void put({ ...view, isDefault }),
    rename(view: SavedView) {
      const { name, isDefault, columns } = view
      const onName: Naming['onName'] = ({ withColumns, ...named }) =>
        void put({ ...view, ...named, columns: withColumns ? (columns ?? shown()) : null })
      setNaming({ title: 'Rename the view', act: 'Rename', name, isDefault, withColumns: columns !== null, onName })
    },
    undo() {
      if (removed !== null) void put(removed)
      setRemoved(null)
    },
  }
}
