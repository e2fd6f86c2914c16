import { useRef } from 'react'
import { Header, Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components'
import { contained } from '../../../src-shared/text/direction.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import { TreeActionItems } from '../../actions/entries/menu.tsx'
import { PolicyItems } from '../../policies/menu.tsx'
import { useAppContext } from '../../lib/context.ts'
import { showPlace } from '../../overview/place/shown-place.ts'
import { isBlank } from '../../lib/ui/name-text.tsx'
import { WatchLabel, watchText } from '../actions/watch-label.tsx'
import { isWatchable, useWatch } from '../actions/watch.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The position of a line's menu, in CSS pixels of the window. */
export interface TreeMenuPlace {
  x: number
  y: number
  row: TreeRow
}

interface Props {
  place: TreeMenuPlace | null
  onChoose: (row: TreeRow) => void
  /** Copies a link to the devices of the place. */
  onLink: (row: TreeRow) => void
  onClose: () => void
}

/** The actions on a line of the tree. */
export function TreeMenu({ place, onChoose, onLink, onClose }: Props) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span
        ref={anchor}
        className="menu-anchor"
        style={{ insetInlineStart: place?.x ?? 0, insetBlockStart: place?.y ?? 0 }}
      />
      <Popover
        className="popover"
        triggerRef={anchor}
        placement="bottom start"
        offset={2}
        isOpen={place !== null}
        onOpenChange={(open) => !open && onClose()}
      >
        {place !== null && <ActionList row={place.row} onChoose={onChoose} onLink={onLink} onClose={onClose} />}
      </Popover>
    </>
  )
}

function ActionList({ row, onChoose, onLink, onClose }: Omit<Props, 'place'> & { row: TreeRow }) {
  const { session } = useAppContext()
  const { watched, watch } = useWatch(row.id)
  const name = isBlank(row.name) ? 'This place' : contained(row.name)
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu that was called up has the focus
    <Menu className="menu" aria-label={name} autoFocus="first" onClose={onClose}>
      <MenuSection>
        <Header className="menu-head">
          <Isolated>{name.slice(0, 60)}</Isolated>
        </Header>
        <MenuItem className="menu-item" onAction={() => onChoose(row)}>
          Show only this place<kbd>Enter</kbd>
        </MenuItem>
        {isWatchable(row.id) && (
          <MenuItem className="menu-item" textValue={watchText(watched)} onAction={() => watch(!watched)}>
            <WatchLabel watched={watched} />
          </MenuItem>
        )}
        {row.kind !== 'device' && (
          <MenuItem className="menu-item" onAction={() => onLink(row)}>
            Copy link
          </MenuItem>
        )}
        {(row.kind === 'tenant' || row.kind === 'account' || row.kind === 'site') && (
          <MenuItem className="menu-item" onAction={() => showPlace(session, row.id)}>
            Show its page
          </MenuItem>
        )}
      </MenuSection>
      <Separator className="menu-line" />
      <TreeActionItems row={row} />
      <Separator className="menu-line" />
      <PolicyItems row={row} />
    </Menu>
  )
}
