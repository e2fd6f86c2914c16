import { useState } from 'react'
import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import type { AppState } from '../../lib/session.ts'
import { useAppContext } from '../../lib/context.ts'
import { refreshText } from '../../lib/format/faults.ts'

/** What a person is asked before anything is read: the chosen place, or all tenants first. */
export type RefreshAsk = 'place' | 'all'

export interface Refresh {
  /** What is asked now; null when nothing is. */
  asking: RefreshAsk | null
  ask(what: RefreshAsk | null): void
  /** Why what was asked for is not read now; "" when it is, or nothing was asked for. */
  words: string
  /** Reads anew what lies in a scope, or the status of its known devices alone. True when that has begun; its progress shows in the status bar. */
  read(scope: string, status?: boolean): Promise<boolean>
  dismiss(): void
}

/** Reading for a person, who is told when nothing can be read. */
export function useRefresh({ connections }: AppState, lost: boolean): Refresh {
  const { session } = useAppContext()
  const [asking, setAsking] = useState<RefreshAsk | null>(null)
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const words = asked ? refreshText(connections, lost) : ''
  // What is read is no longer waited for.
  if (asked && words === '') setAsked(false)
  return {
    asking,
    ask: setAsking,
    words: words !== '' || fault === null ? words : `Not refreshed. ${explain(fault).title} ${explain(fault).advice}`,
    async read(scope, status = false) {
      setAsked(!status)
      setFault(null)
      const answer = await session.pipe.call('sync.start', { scope, status })
      // That the core is away is said by the words above.
      if (!answer.ok && answer.fault.kind !== 'stopped') setFault(answer.fault)
      return answer.ok
    },
    dismiss() {
      setAsked(false)
      setFault(null)
    },
  }
}
