/**
 * After what closes or opens now has been drawn: a dialog gives the focus back a frame after it has gone. Returns the way
 * to call it off.
 */
export function afterFrames(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run)
  })
  return () => cancelAnimationFrame(frame)
}

/** Whether the focus is nowhere: what had it is gone, or nothing was given it. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body
