import { useLayoutEffect } from 'react'
import { useRowHeight, useSettings } from './use-settings.ts'

/** Puts theme and density where the style sheets read them: on the document's root. */
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
