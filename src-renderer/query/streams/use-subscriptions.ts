import { useEffect, useEffectEvent } from 'react'
import type { SubscriptionState } from '../../../src-shared/model/subscription.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'

/** Returns the subscriptions of the core, of all windows; null before its first answer. */
export function useSubscriptions(): readonly SubscriptionState[] | null {
  const { session } = useAppContext()
  const { value, set, again } = useCall<readonly SubscriptionState[]>('all', async () => {
    const answer = await session.pipe.call('subscription.list', {})
    return answer.ok ? answer.value.subscriptions : null
  })
  const changed = useEffectEvent((all: readonly SubscriptionState[]) => set(all))
  const reached = useEffectEvent((isReached: boolean) => {
    if (isReached) again()
  })
  useEffect(() => {
    const offs = [session.pipe.on('subscriptions', (all) => changed(all)), session.pipe.onReach((now) => reached(now))]
    return () => offs.forEach((off) => off())
  }, [session])
  return value
}
