/** Gives the focus to a part of the window; to the grid in it where it cannot have the focus itself. */
export function focusPane(pane: HTMLElement | null): void {
  if (pane === null) return
  const inner = pane.hasAttribute('tabindex') ? pane : pane.querySelector<HTMLElement>('[role=grid]')
  inner?.focus()
}
