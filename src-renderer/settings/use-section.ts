import { useEffect } from 'react'
import type { SettingsSection } from '../../src-shared/navigation/screens.ts'
import { afterFrames } from '../lib/ui/focus.ts'

export const groupOf = (part: SettingsSection): string => `settings-${part}`

/** What is wanted of each part: where reserve and ceiling are set, what a proxy asks for, how updates stand. The first that is there. */
const wanted: Record<SettingsSection, readonly string[]> = {
  points: ['input'],
  network: ['form[data-asks] input', 'form input', 'h3'],
  updates: ['h3'],
}

/** Brings the part that something led to in sight, with the focus in it, and says so by `onArrived`; null: nothing did. */
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
