import { MenuItem, MenuSection } from 'react-aria-components'
import type { TreeRow } from '../../src-shared/model/inventory.ts'
import { useAppContext } from '../lib/context.ts'
import { afterFrames } from '../lib/ui/focus.ts'

/**
 * The policies that a line of the tree offers: a zone for tenants, accounts and sites, thresholds for rooms too, and a
 * maintenance window for any place.
 */
export function PolicyItems({ row: { id, name, kind, placeless } }: { row: TreeRow }) {
  const { policyEditor } = useAppContext()
  const node = { id, name }
  const isNoted = kind !== 'region' && !placeless
  // The menu first returns the focus, so that the dialog returns it to the same element.
  const then = (run: () => Promise<void>) => () => void afterFrames(() => void run())
  return (
    <MenuSection aria-label="Configured here">
      {isNoted && (
        <MenuItem className="menu-item" onAction={() => void afterFrames(() => policyEditor.askNote(node))}>
          Note and tags…
        </MenuItem>
      )}
      <MenuItem className="menu-item" onAction={then(() => policyEditor.askWindow(node))}>
        Maintenance window here…
      </MenuItem>
      {(kind === 'tenant' || kind === 'account' || kind === 'site') && (
        <MenuItem className="menu-item" onAction={then(() => policyEditor.ask('zone', node))}>
          Time zone…
        </MenuItem>
      )}
      {kind !== 'region' && (
        <MenuItem className="menu-item" onAction={then(() => policyEditor.ask('thresholds', node))}>
          Alert rules…
        </MenuItem>
      )}
    </MenuSection>
  )
}
