import { useState } from 'react'
import { faultSentence, type Fault } from '../../../src-shared/model/fault.ts'
import type { AppState } from '../../lib/session.ts'
import { useAppContext } from '../../lib/context.ts'
import { refreshText } from '../../lib/format/faults.ts'

/** The choice offered first: the selected place, or all tenants. */
export type RefreshAsk = 'place' | 'all'

export interface Refresh {
  /** The open question; null when none is open. */
  asking: RefreshAsk | null
  ask(what: RefreshAsk | null): void
  /** Why the requested refresh does not run; '' when it runs or none was requested. */
  words: string
  /**
   * Refreshes a scope, or only the status of its known devices. Returns true when the refresh has begun; the status bar
   * shows its progress.
   */
  read(scope: string, status?: boolean): Promise<boolean>
  dismiss(): void
}

/** Runs the operator's refreshes, and says why one cannot run. */
export function useRefresh({ connections }: AppState, lost: boolean): Refresh {
  const { session } = useAppContext()
  const [asking, setAsking] = useState<RefreshAsk | null>(null)
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const words = asked ? refreshText(connections, lost) : ''
  // The refresh runs, so it is no longer pending.
  if (asked && words === '') setAsked(false)
  return {
    asking,
    ask: setAsking,
    words: words !== '' || fault === null ? words : `Not refreshed. ${faultSentence(fault)}`,
    async read(scope, status = false) {
      setAsked(!status)
      setFault(null)
      const answer = await session.pipe.call('sync.start', { scope, status })
      // The text above already says that the core is unreachable.
      if (!answer.ok && answer.fault.kind !== 'stopped') setFault(answer.fault)
      return answer.ok
    },
    dismiss() {
      setAsked(false)
      setFault(null)
    },
  }
}
