import type { TreeSort } from '../../../src-shared/model/tree.ts'
import { ArrowDownAZ, ArrowDownWideNarrow } from 'lucide-react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'

const words: Readonly<Record<TreeSort, string>> = { name: 'Name', offline: 'Most offline' }
const icons = { name: ArrowDownAZ, offline: ArrowDownWideNarrow } as const

/** The title of the tree and its sort order, which is a setting. */
export function TreeHead() {
  const { session } = useAppContext()
  const { treeSort } = useSettings()
  const Icon = icons[treeSort]
  return (
    <div className="tree-head">
      <span className="tree-title">Places</span>
      <MenuTrigger>
        <Button className="button subtle tree-sort" aria-label={`Sort places by: ${words[treeSort]}`}>
          <Icon size={13} aria-hidden />
          {words[treeSort]}
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu
            className="menu"
            aria-label="Sort places by"
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[treeSort]}
            onSelectionChange={(keys) =>
              keys !== 'all' && void session.change({ treeSort: keys.has('offline') ? 'offline' : 'name' })
            }
          >
            {(['name', 'offline'] as const).map((sort) => (
              <MenuItem key={sort} id={sort} className="menu-item">
                {words[sort]}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </div>
  )
}
