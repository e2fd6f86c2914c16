import { MenuItem, MenuSection } from 'react-aria-components'
import type { TreeRow } from '../../src-shared/model/inventory.ts'
import { useAppContext } from '../lib/context.ts'
import { afterFrames } from '../lib/ui/focus.ts'

/** What can be laid down on a line of the tree: a zone belongs to tenants and sites, figures to rooms as well, a maintenance window to any place. */
export function PolicyItems({ row: { id, name, kind } }: { row: TreeRow }) {
  const { policyEditor } = useAppContext()
  const node = { id, name }
  // The menu gives the focus back first: the dialog gives it back to where that was.
  const then = (does: () => Promise<void>) => () => void afterFrames(() => void does())
  return (
    <MenuSection aria-label="Configured here">
      <MenuItem className="menu-item" onAction={then(() => policyEditor.askWindow(node))}>
        Maintenance window here…
      </MenuItem>
      {(kind === 'tenant' || kind === 'site') && (
        <MenuItem className="menu-item" onAction={then(() => policyEditor.ask('zone', node))}>
          Time zone…
        </MenuItem>
      )}
      {kind !== 'region' && (
        <MenuItem className="menu-item" onAction={then(() => policyEditor.ask('figures', node))}>
          Alert rules…
        </MenuItem>
      )}
    </MenuSection>
  )
}
