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
