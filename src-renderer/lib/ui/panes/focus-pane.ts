/** Moves the focus to a pane, or to the grid in it when the pane cannot have the focus. */
export function focusPane(pane: HTMLElement | null): void {
  if (pane === null) return
  const inner = pane.hasAttribute('tabindex') ? pane : pane.querySelector<HTMLElement>('[role=grid]')
  inner?.focus()
}
