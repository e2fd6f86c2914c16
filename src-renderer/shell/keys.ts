import { useEffect } from 'react'

/** Every key that the window knows, for the list that `?` opens. */
export const keyList: readonly { keys: string; does: string }[] = [
  { keys: '/', does: 'Filter the devices' },
  { keys: 'Esc', does: 'Clear the filter; close the device; close a dialog' },
  { keys: '↑ ↓ PgUp PgDn Home End', does: 'Move in the tree or the table' },
  { keys: '→ ←', does: 'Open or close a place in the tree; go to its parent' },
  { keys: 'Enter', does: 'In the tree: show only this place. In the table: open the device. On a head: sort' },
  { keys: 'Shift Enter', does: 'On a head: add it to the order' },
  { keys: 'Letters', does: 'In the tree: go to the next name that begins so' },
  { keys: 'F6', does: 'Next pane; with Shift the one before' },
  { keys: '← →', does: 'On the edge between panes: change their width' },
  { keys: '?', does: 'This list' },
]

const panes = ['tree', 'devices', 'detail', 'status']

/** Keys that work anywhere in the window: `/`, `?` and F6. */
export function useKeys({ onHelp }: { onHelp: () => void }) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || inDialog()) return
      if (event.key === 'F6') nextPane(event.shiftKey ? -1 : 1)
      else if (event.key === '/' && !typing(event.target)) document.getElementById('filter')?.focus()
      else if (event.key === '?' && !typing(event.target)) onHelp()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onHelp])
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}

function inDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
}

function nextPane(step: 1 | -1) {
  const there = panes.map((id) => document.getElementById(id)).filter((pane) => pane !== null)
  const at = there.findIndex((pane) => pane.contains(document.activeElement))
  const from = at === -1 && step === -1 ? 0 : at
  there[(from + step + there.length) % there.length]?.focus()
}
