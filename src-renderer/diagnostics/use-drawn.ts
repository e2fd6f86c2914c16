import { useEffect } from 'react'
import { useSurroundings } from '../surroundings.ts'
import { afterFrames } from '../ui/after-frames.ts'

/** Tells the core that a window stands on the screen, when its first picture has been drawn. */
export function useDrawn(): void {
  const { session } = useSurroundings()
  useEffect(() => afterFrames(() => void session.pipe.call('diagnostics.drawn', {})), [session])
}
