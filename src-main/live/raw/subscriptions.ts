import { FaultError } from '../../../src-shared/model/fault.ts'
import { startRawSubscription, type RawSubscription, type RawSubscriptionOptions } from './subscription.ts'

export type RawListeners = Pick<RawSubscriptionOptions, 'operation' | 'onEvent' | 'onGap' | 'onState'>

/** The operator's subscriptions of one connection. */
export interface RawSubscriptions {
  /** Throws `stopped` where the connection ends. */
  start(listeners: RawListeners): RawSubscription
  /** Connects those that wait, now. */
  retry(): void
  /** Replaces all sockets: the computer slept, or its clock was set. */
  loseTime(): void
  /** Ends all. */
  stop(): void
}

export function createRawSubscriptions(shared: Omit<RawSubscriptionOptions, keyof RawListeners>): RawSubscriptions {
  const running = new Set<RawSubscription>()
  let stopped = false
  return {
    start(listeners) {
      if (stopped) throw new FaultError('stopped')
      const started = startRawSubscription({
        ...shared,
        ...listeners,
        onState(state) {
          if (state.is === 'ended') running.delete(started)
          listeners.onState(state)
        },
      })
      running.add(started)
      return started
    },
    retry: () => running.forEach((each) => each.retry()),
    loseTime: () => running.forEach((each) => each.restart()),
    stop() {
      stopped = true
      for (const each of running) each.stop()
    },
  }
}
