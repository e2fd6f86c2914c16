import { useEffect } from 'react'
import { focusPane } from '../lib/ui/panes/focus-pane.ts'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

/** All keyboard shortcuts of the window, for the list that `?` opens. */
export const keyList: readonly { keys: string; action: string }[] = [
  { keys: 'Ctrl K', action: 'Search commands, views, places, devices (⌘ K on a Mac)' },
  { keys: '/', action: 'Filter the devices, the incidents or the connections' },
  {
    keys: '↓ ↑ Tab',
    action: 'In the filter: choose a completion and take it; ↑ in an empty field: filters used before',
  },
  { keys: 'Esc', action: 'Clear the filter or the selection; close the device; close a dialog' },
  { keys: '↑ ↓ PgUp PgDn Home End', action: 'Move in the tree, the table or the incidents; with Shift select' },
  { keys: '← → PgUp PgDn Home End', action: 'Go through the strip of a device or a place' },
  { keys: 'Space', action: 'In the table and the incidents: select or deselect the row' },
  { keys: 'Ctrl A', action: 'In the table and the incidents: select all rows' },
  { keys: 'Ctrl C', action: 'In the table: copy the rows, for a spreadsheet' },
  { keys: 'Shift F10', action: 'In the table and the tree: menu of the row, the selection or the place' },
  {
    keys: 'Enter',
    action:
      'In the tree: show only this place. In the table: open the device. In the incidents: open the incident. On a head: sort',
  },
  { keys: 'Shift Enter', action: 'On a head: add it to the order' },
  { keys: 'Ctrl ← →', action: 'On a head: move the column' },
  { keys: 'Alt ← →', action: 'On a head: set the column’s width' },
  { keys: '→ ←', action: 'Open or close a place in the tree; go to its parent' },
  { keys: '*', action: 'In the tree: open all places beside this one' },
  { keys: 'Letters', action: 'In the tree: go to the next name that begins so' },
  { keys: 'A', action: 'In the incidents: acknowledge the selection' },
  { keys: 'S', action: 'In the incidents: snooze them' },
  { keys: 'T', action: 'In the incidents of a team: take them' },
  { keys: 'U', action: 'In the incidents: undo' },
  { keys: 'Ctrl Enter', action: 'In the query: run it' },
  {
    keys: 'Ctrl I',
    action: 'In the query: what the schema says of the name at the cursor; F1 opens its documentation',
  },
  { keys: 'Alt Enter', action: 'In the query: fill in the fields at the cursor' },
  { keys: 'Ctrl S, Ctrl Alt T', action: 'In the query: save the operation; open a tab' },
  { keys: '← → Shift Ctrl', action: 'In the time machine: a minute, an hour, a day' },
  { keys: 'F5', action: 'Refresh the chosen place; with Shift all tenants' },
  { keys: 'F6', action: 'Next pane; with Shift the one before' },
  { keys: 'F8', action: 'Notifications' },
  { keys: 'F11', action: 'The wall display; there ← → turn its pages and Esc leaves it' },
  { keys: '← →', action: 'On the edge between panes: change their width' },
  { keys: '?', action: 'This list' },
]

const panes = [
  'tree',
  'devices',
  'detail',
  'incidents',
  'incident',
  'actions',
  'query-kept',
  'query',
  'answer',
  'connections',
  'connection',
  'diagnostics',
  'settings',
  'status',
]

interface KeyActions {
  onHelp: () => void
  onFilter: () => void
  onWall: () => void
}

/** Handles the shortcuts that work everywhere in the window: `/`, `?`, F6, F8 and F11. */
export function useKeys({ onHelp, onFilter, onWall }: KeyActions) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || inDialog()) return
      if (event.key === 'F6') nextPane(event.shiftKey ? -1 : 1)
      else if (event.key === 'F8') document.getElementById('notifications')?.click()
      else if (event.key === 'F11') onWall()
      else if (event.key === '/' && !typing(event.target)) toFilter(onFilter)
      else if (event.key === '?' && !typing(event.target)) onHelp()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onHelp, onFilter, onWall])
}

/** Moves the focus to the filter of the present screen. */
function toFilter(onFilter: () => void) {
  const other = document.getElementById('incidents-filter') ?? document.getElementById('connections-filter')
  if (document.getElementById('filter') === null) other?.focus()
  else onFilter()
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  )
}

function inDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
}

function nextPane(step: 1 | -1) {
  const there = panes.map((id) => document.getElementById(id)).filter((pane) => pane !== null)
  const at = there.findIndex((pane) => pane.contains(document.activeElement))
  const from = at === -1 && step === -1 ? 0 : at
  focusPane(there[(from + step + there.length) % there.length] ?? null)
}

export function KeysDialog({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  return (
    <ModalOverlay className="overlay" isOpen={open} onOpenChange={onOpen} isDismissable>
      <Modal className="modal">
        <Dialog className="dialog">
          <Heading slot="title">Keys</Heading>
          <dl className="key-list">
            {keyList.map(({ keys, action }) => (
              <div key={keys + action}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{action}</dd>
              </div>
            ))}
          </dl>
          <div className="dialog-actions">
            <Button className="button" slot="close">
              Close
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
