import type { TreeSort } from '../../../src-shared/model/tree.ts'
import { ArrowDownAZ, ArrowDownWideNarrow, Eye, EyeOff } from 'lucide-react'
import {
  Button,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  ToggleButton,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components'
import { changeSettings } from '../../settings/change-settings.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'

const words: Readonly<Record<TreeSort, string>> = { name: 'Name', offline: 'Most offline' }
const icons = { name: ArrowDownAZ, offline: ArrowDownWideNarrow } as const

/** A switch for the places without devices, which is a setting. */
function EmptyPlaces() {
  const context = useAppContext()
  const { showEmptyPlaces } = useSettings()
  return (
    <TooltipTrigger delay={500}>
      <ToggleButton
        className="icon-button tree-empty"
        aria-label="Show empty places"
        isSelected={showEmptyPlaces}
        onChange={(shown) => void changeSettings(context, { showEmptyPlaces: shown })}
      >
        {showEmptyPlaces ? <Eye size={14} aria-hidden /> : <EyeOff size={14} aria-hidden />}
      </ToggleButton>
      <Tooltip className="tooltip" offset={6}>
        {showEmptyPlaces ? 'Hide places without devices' : 'Show places without devices'}
      </Tooltip>
    </TooltipTrigger>
  )
}

/** The title of the tree, its sort order and which places it shows, which are settings. */
export function TreeHead() {
  const context = useAppContext()
  const { treeSort } = useSettings()
  const Icon = icons[treeSort]
  return (
    <div className="tree-head">
      <span className="tree-title">Places</span>
      <span className="spring" />
      <EmptyPlaces />
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
              keys !== 'all' && void changeSettings(context, { treeSort: keys.has('offline') ? 'offline' : 'name' })
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
