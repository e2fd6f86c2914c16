import { useState } from 'react'
import type { AppState } from '../session.ts'
import { useSurroundings } from '../surroundings.ts'
import { refreshWords } from '../words/trouble.ts'

export interface Refresh {
  /** Why what was asked for is not read now; "" when it is, or nothing was asked for. */
  words: string
  /** Reads anew what lies in a scope; resolves when that has begun. Its progress shows in the status bar. */
  read(scope: string): Promise<void>
  dismiss(): void
}

/** Reading for a person, who is told when nothing can be read. */
export function useRefresh({ connections }: AppState, lost: boolean): Refresh {
  const { session } = useSurroundings()
  const [asked, setAsked] = useState(false)
  const words = asked ? refreshWords(connections, lost) : ''
  // What is read is no longer waited for.
  if (asked && words === '') setAsked(false)
  return {
    words,
    async read(scope) {
      setAsked(true)
      await session.pipe.call('sync.read', { scope })
    },
    dismiss: () => setAsked(false),
  }
}
