import { useLayoutEffect } from 'react'
import { useRowHeight, useSettings } from './use-settings.ts'

/** Writes theme, density and row height to the document's root, where the style sheets read them. */
export function useAppearance(): void {
  const { theme, density } = useSettings()
  const rowHeight = useRowHeight()
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['theme'] = theme
    root.dataset['density'] = density
    root.style.setProperty('--row-height', `${rowHeight}px`)
  }, [theme, density, rowHeight])
}
