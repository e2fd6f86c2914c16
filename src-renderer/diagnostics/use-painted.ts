import { useEffect } from 'react'
import { useAppContext } from '../lib/context.ts'
import { afterFrames } from '../lib/ui/focus.ts'

/** Reports the window's first paint to the core. */
export function usePainted(): void {
  const { session } = useAppContext()
  useEffect(() => afterFrames(() => void session.pipe.call('diagnostics.drawn', {})), [session])
}
