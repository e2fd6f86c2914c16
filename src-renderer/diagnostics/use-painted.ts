import { useEffect } from 'react'
import { useAppContext } from '../lib/context.ts'
import { afterFrames } from '../lib/ui/focus.ts'

/** Tells the core that a window stands on the screen, when its first picture has been drawn. */
export function usePainted(): void {
  const { session } = useAppContext()
  useEffect(() => afterFrames(() => void session.pipe.call('diagnostics.drawn', {})), [session])
}
