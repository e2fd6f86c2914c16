import { useEffect } from 'react'
import type { RefreshAsk } from '../header/use-refresh.ts'

/** Control or Command K opens the palette, wherever the focus is. F5 asks what to read of the chosen place, with Shift of all tenants; the page is not loaded again. */
export function useCommandKeys(onPalette: () => void, onRefresh: (ask: RefreshAsk) => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const command = event.ctrlKey || event.metaKey
      if (command && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (document.querySelector('[role=alertdialog], [aria-modal=true], .modal') === null) onPalette()
      }
      if (event.key !== 'F5' || command || event.altKey) return
      event.preventDefault()
      onRefresh(event.shiftKey ? 'all' : 'place')
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onPalette, onRefresh])
}
