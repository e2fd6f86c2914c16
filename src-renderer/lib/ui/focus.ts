/**
 * Runs a function after the present opening or closing was rendered, because a dialog returns the focus one frame after
 * it has closed. Returns a function that cancels it.
 */
export function afterFrames(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run)
  })
  return () => cancelAnimationFrame(frame)
}

/** Returns whether no element has the focus. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body
