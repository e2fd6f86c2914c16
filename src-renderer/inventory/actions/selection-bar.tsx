import { Copy, Download, ExternalLink, Tags, X } from 'lucide-react'
import { useEffect } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { ActionMenu } from '../../actions/entries/action-menu.tsx'
import { useStore } from '../../lib/store.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { copiesOf } from './copy.ts'
import type { Inventory } from '../inventory.ts'
import { usePortal } from './portal.ts'
import { CopyColumn } from './row-menu.tsx'
import { useTagging } from './tagging.ts'
import { selectedCount } from '../table/selection.ts'

/** Time (ms) for which the message about a finished action stays. */
const messageStays = 6000

/** The selection and its actions at the foot of the table, and the message about the last action. */
export function SelectionBar({ inventory }: { inventory: Inventory }) {
  const chosen = useStore(inventory.selection.state)
  const total = useStore(inventory.rows.state, (loaded) => loaded.total ?? 0)
  const count = selectedCount(chosen, total)
  return (
    <div className="table-foot">
      {count > 0 && (
        <section className="selection-bar" aria-label="Selected devices">
          <strong>{many(count, 'device')} selected</strong>
          <Hidden inventory={inventory} />
          <ActionMenu subject={inventory.subject} disabled={false} placement="top start" />
          <TagsButton inventory={inventory} />
          <CopyMenu inventory={inventory} />
          <ExportMenu inventory={inventory} all={false} label="Export" />
          {count === 1 && <PortalLink inventory={inventory} />}
          <IconButton label="Clear the selection (Esc)" onPress={inventory.selection.clear}>
            <X size={14} aria-hidden />
          </IconButton>
        </section>
      )}
      <ActionMessage inventory={inventory} />
    </div>
  )
}

/**
 * The number of selected devices that the filter hides, with a button that deselects them, because actions include
 * them.
 */
function Hidden({ inventory }: { inventory: Inventory }) {
  const hidden = useStore(inventory.hidden.state, ({ length }) => length)
  if (hidden === 0) return null
  return (
    <>
      <span className="selection-hidden">{numberText(hidden)} hidden by the filter</span>
      <Button className="button" onPress={inventory.hidden.release}>
        Deselect {hidden === 1 ? 'it' : 'them'}
      </Button>
    </>
  )
}

function TagsButton({ inventory }: { inventory: Inventory }) {
  const ask = useTagging(inventory)
  return (
    <Button className="button" onPress={ask}>
      <Tags size={14} aria-hidden />
      Tags…
    </Button>
  )
}

function ActionMessage({ inventory }: { inventory: Inventory }) {
  const { busy, words, failed } = useStore(inventory.actions.state)
  const { actions } = inventory
  useEffect(() => {
    if (busy || failed || words === '') return undefined
    const timer = setTimeout(actions.forget, messageStays)
    return () => clearTimeout(timer)
  }, [busy, failed, words, actions])
  return (
    <div className="action-text" role="status" data-shown={words !== ''} data-failed={failed}>
      {words}
      {busy && (
        <Button className="button subtle" onPress={actions.stop}>
          Stop
        </Button>
      )}
      {failed && (
        <IconButton label="Dismiss" onPress={actions.forget}>
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

function CopyMenu({ inventory }: { inventory: Inventory }) {
  const shown = useStore(inventory.columns.state)
  return (
    <MenuTrigger>
      <Button className="button">
        <Copy size={14} aria-hidden />
        Copy
      </Button>
      <Popover className="popover" placement="top start">
        <Menu className="menu">
          {copiesOf(
            null,
            shown.map(({ id }) => id),
          ).map(({ word, what }) => (
            <MenuItem key={word} className="menu-item" onAction={() => void inventory.actions.copy(what)}>
              Copy {word}
            </MenuItem>
          ))}
          <CopyColumn inventory={inventory} />
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** The export menu. `all`: exports the whole table; otherwise the selection. */
export function ExportMenu({ inventory, all, label }: { inventory: Inventory; all: boolean; label: string }) {
  return (
    <MenuTrigger>
      <Button className={all ? 'button subtle' : 'button'} {...(all && { 'aria-label': 'Export the table' })}>
        <Download size={14} aria-hidden />
        <span className={all ? 'button-word' : undefined}>{label}</span>
      </Button>
      <Popover className="popover" placement={all ? 'bottom end' : 'top start'}>
        <Menu className="menu">
          <MenuItem className="menu-item" onAction={() => void inventory.actions.save('csv', all)}>
            As CSV, for spreadsheets
          </MenuItem>
          <MenuItem className="menu-item" onAction={() => void inventory.actions.save('json', all)}>
            As JSON
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** Of one device: the portal has no page of several. */
function PortalLink({ inventory }: { inventory: Inventory }) {
  const chosen = useStore(inventory.selection.state)
  const portal = usePortal(chosen.what === 'some' ? ([...chosen.keys][0] ?? null) : null)
  if (portal !== null && 'href' in portal) {
    return (
      <a className="button" href={portal.href} target="_blank" rel="noopener noreferrer">
        <ExternalLink size={14} aria-hidden />
        Open in the portal
      </a>
    )
  }
  const reason = portal === null ? '' : portal.reason
  return (
    <button type="button" className="button" aria-disabled="true" data-disabled title={reason}>
      <ExternalLink size={14} aria-hidden />
      Open in the portal<span className="sr-only">. {reason}</span>
    </button>
  )
}
