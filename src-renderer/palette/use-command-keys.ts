import { useEffect } from 'react'
import type { Inventory } from '../inventory/inventory.ts'

/** Control or Command K opens the palette, wherever the focus is. F5 reads the chosen place, with Shift everything; the page is not loaded again. */
export function useCommandKeys(inventory: Inventory, onPalette: () => void, onRead: (scope: string) => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const command = event.ctrlKey || event.metaKey
      if (command && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (document.querySelector('[role=alertdialog], [aria-modal=true], .modal') === null) onPalette()
      }
      if (event.key !== 'F5' || command || event.altKey) return
      event.preventDefault()
      onRead(event.shiftKey ? 'all' : (inventory.view.get().path.at(-1)?.id ?? 'all'))
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [inventory, onPalette, onRead])
}
