import { useEffect } from 'react'
import type { RefreshAsk } from '../header/use-refresh.ts'

/**
 * Handles Ctrl+K or Cmd+K, which open the palette wherever the focus is, and F5, which opens the refresh menu for the
 * chosen place, or with Shift for all tenants, instead of reloading the page.
 */
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
