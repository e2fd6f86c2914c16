import { afterFrames } from '../../lib/ui/focus.ts'
import { openInTab } from './operations.ts'

/** Opens an empty tab, and puts the cursor into it. */
export function newTab(): void {
  openInTab({})
  afterFrames(() => document.querySelector<HTMLElement>('.query-editor .cm-content')?.focus())
}
