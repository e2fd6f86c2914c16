import { useEffect } from 'react'
import type { SettingsSection } from '../../src-shared/navigation/screens.ts'
import { afterFrames } from '../lib/ui/focus.ts'

export const groupOf = (part: SettingsSection): string => `settings-${part}`

/** Selectors for the control of each section that takes the focus. The first match counts. */
const wanted: Record<SettingsSection, readonly string[]> = {
  points: ['input'],
  network: ['form[data-asks] input', 'form input', 'h3'],
  updates: ['h3'],
}

/**
 * Scrolls a section of the settings into view, moves the focus into it, and then calls `onArrived`. Null does nothing.
 */
export function useSection(part: SettingsSection | null, onArrived: () => void): void {
  useEffect(() => {
    if (part === null) return undefined
    return afterFrames(() => {
      const group = document.getElementById(groupOf(part))
      const found = wanted[part]
        .map((each) => group?.querySelector<HTMLElement>(each))
        .find((each) => each instanceof HTMLElement)
      group?.scrollIntoView({ block: 'start' })
      found?.focus()
      onArrived()
    })
  }, [part, onArrived])
}
