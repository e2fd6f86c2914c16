import type { Bridge } from '../../../src-shared/contract/bridge.ts'
import type {
  Answer,
  CallInput,
  CallName,
  CallOutput,
  EventData,
  EventName,
  Pipe,
} from '../../../src-shared/contract/contract.ts'

declare global {
  interface Window {
    /** Set by the preload of the desktop shell; the web shell has none and is reached by WebSocket. */
    musterBridge?: Bridge
  }
}

/** The pipe of the desktop shell. Its core lives as long as its windows, so it is always in reach. */
export function openBridgePipe(bridge: Bridge): Pipe {
  const listeners = new Map<EventName, Set<(data: never) => void>>()
  bridge.hear((name, data) => {
    const known = listeners.get(name as EventName)
    if (known === undefined) return
    const value = JSON.parse(data) as never
    for (const listener of known) listener(value)
  })
  return {
    async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Answer<CallOutput<N>>> {
      try {
        return JSON.parse(await bridge.ask(name, JSON.stringify(input))) as Answer<CallOutput<N>>
      } catch {
        // Nobody answers any more: the core is stopping, and this window with it.
        return { ok: false, fault: { kind: 'stopped', detail: '' } }
      }
    },
    on<N extends EventName>(name: N, listener: (data: EventData<N>) => void) {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known.add(listener))
      return () => known.delete(listener)
    },
    onReach(listener) {
      listener(true)
      return () => {}
    },
  }
}
