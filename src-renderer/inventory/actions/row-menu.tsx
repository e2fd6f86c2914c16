import { ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import { Header, Menu, MenuItem, MenuSection, Popover, Separator, SubmenuTrigger } from 'react-aria-components'
import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import { DeviceActionItems } from '../../actions/entries/menu.tsx'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { many } from '../../lib/format/numbers.ts'
import { columnCopy, copiesOf } from './copy.ts'
import type { Inventory } from '../inventory.ts'
import { usePortal, type Portal } from './portal.ts'
import { useTagging } from './tagging.ts'
import { selectedCount } from '../table/selection.ts'
import { WatchLabel, watchText } from './watch-label.tsx'
import { useWatch } from './watch.ts'

/** The position of the menu in CSS pixels of the window, and the column under the pointer. */
export interface MenuPlace {
  x: number
  y: number
  column: ColumnId | null
}

interface Props {
  inventory: Inventory
  place: MenuPlace | null
  onClose: () => void
  /** Called when the detail is open and takes the focus. */
  onEnter: () => void
}

/** The actions on the selected devices, or on the one at the cursor. */
export function RowMenu({ inventory, place, onClose, onEnter }: Props) {
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
        {place !== null && (
          <ActionList inventory={inventory} column={place.column} onEnter={onEnter} onClose={onClose} />
        )}
      </Popover>
    </>
  )
}

function ActionList({
  inventory,
  column,
  onEnter,
  onClose,
}: {
  inventory: Inventory
  column: ColumnId | null
  onEnter: () => void
  onClose: () => void
}) {
  const { cursor, selection, rows, actions, detail } = inventory
  const chosen = useStore(selection.state)
  const total = useStore(rows.state, (loaded) => loaded.total ?? 0)
  const key = useStore(cursor.state, (at) => at.key)
  const count = selectedCount(chosen, total)
  const about = count === 0 ? 'This device' : many(count, 'selected device')
  const one = count > 1 ? null : count === 1 && chosen.what === 'some' ? ([...chosen.keys][0] ?? null) : key
  const portal = usePortal(one)
  const shown = useStore(inventory.columns.state)
  const open = () => {
    if (one === null) return
    detail.open(one)
    onEnter()
  }
  const copies = copiesOf(
    column,
    shown.map(({ id }) => id),
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu that was called up has the focus
    <Menu className="menu" aria-label={about} autoFocus="first" onClose={onClose}>
      <MenuSection>
        <Header className="menu-head">{about}</Header>
        {one !== null && (
          <MenuItem className="menu-item" onAction={open}>
            Show details<kbd>Enter</kbd>
          </MenuItem>
        )}
        {one !== null && <WatchItem device={one} />}
        {one !== null && <NoteItem inventory={inventory} device={one} />}
        {one === null && <TagsItem inventory={inventory} />}
        <PortalItem portal={portal} />
      </MenuSection>
      <Separator className="menu-line" />
      <MenuSection aria-label="Copy">
        {copies.map(({ word, what }) => (
          <MenuItem key={word} className="menu-item" onAction={() => void actions.copy(what)}>
            Copy {word}
            {word === 'the rows' && <kbd>Ctrl C</kbd>}
          </MenuItem>
        ))}
        {one !== null && (
          <MenuItem className="menu-item" onAction={() => void actions.copyLink({ to: 'device', key: one })}>
            Copy link
          </MenuItem>
        )}
        <CopyColumn inventory={inventory} />
      </MenuSection>
      <Separator className="menu-line" />
      <ExportItems inventory={inventory} />
      <Separator className="menu-line" />
      <DeviceActionItems subject={inventory.subject()} />
    </Menu>
  )
}

function ExportItems({ inventory: { actions } }: { inventory: Inventory }) {
  return (
    <MenuSection aria-label="Export">
      <MenuItem className="menu-item" onAction={() => void actions.save('csv', false)}>
        Export as CSV
      </MenuItem>
      <MenuItem className="menu-item" onAction={() => void actions.save('json', false)}>
        Export as JSON
      </MenuItem>
    </MenuSection>
  )
}

function WatchItem({ device }: { device: string }) {
  const { watched, watch } = useWatch(device)
  return (
    <MenuItem className="menu-item" textValue={watchText(watched)} onAction={() => watch(!watched)}>
      <WatchLabel watched={watched} />
    </MenuItem>
  )
}

function NoteItem({ inventory, device }: { inventory: Inventory; device: string }) {
  const { policyEditor } = useAppContext()
  const ask = () => policyEditor.askNote({ id: `d:${device}`, name: inventory.subject()?.name ?? '' })
  return (
    <MenuItem className="menu-item" onAction={() => void afterFrames(ask)}>
      Note and tags…
    </MenuItem>
  )
}

function TagsItem({ inventory }: { inventory: Inventory }) {
  const ask = useTagging(inventory)
  return (
    <MenuItem className="menu-item" onAction={() => void afterFrames(ask)}>
      Tags…
    </MenuItem>
  )
}

function PortalItem({ portal }: { portal: Portal | null }) {
  if (portal === null)
    return (
      <MenuItem className="menu-item" isDisabled>
        Open in the vendor’s portal
      </MenuItem>
    )
  if ('href' in portal)
    return (
      <MenuItem className="menu-item" href={portal.href} target="_blank" rel="noopener noreferrer">
        Open in the vendor’s portal
      </MenuItem>
    )
  return (
    <MenuItem className="menu-item" isDisabled textValue={`Open in the vendor’s portal. ${portal.reason}`}>
      <span>
        Open in the vendor’s portal<span className="menu-reason">{portal.reason}</span>
      </span>
    </MenuItem>
  )
}

/** A submenu that copies the values of any shown column. */
export function CopyColumn({ inventory }: { inventory: Inventory }) {
  const shown = useStore(inventory.columns.state)
  return (
    <SubmenuTrigger>
      <MenuItem className="menu-item">
        Copy a column
        <ChevronRight size={13} aria-hidden />
      </MenuItem>
      <Popover className="popover" offset={-2}>
        <Menu className="menu menu-columns">
          {shown.map(({ id }) => {
            const what = columnCopy(id)
            return (
              <MenuItem key={id} className="menu-item" onAction={() => void inventory.actions.copy(what)}>
                {what.word}
              </MenuItem>
            )
          })}
        </Menu>
      </Popover>
    </SubmenuTrigger>
  )
}
