import type { Bridge } from '../../../src-shared/contract/bridge.ts'
import type { Answer, CallInput, CallName, CallOutput, EventName, Pipe } from '../../../src-shared/contract/contract.ts'
import { createEventListeners } from './event-listeners.ts'

declare global {
  interface Window {
    /** Set by the desktop shell's preload; missing in the web shell, which uses a WebSocket. */
    musterBridge?: Bridge
  }
}

/** Opens the pipe of the desktop shell. Its core lives as long as its windows, so it is always reachable. */
export function openBridgePipe(bridge: Bridge): Pipe {
  const listeners = createEventListeners()
  bridge.subscribe((name, data) => {
    if (listeners.has(name as EventName)) listeners.emit(name as EventName, JSON.parse(data))
  })
  return {
    async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Answer<CallOutput<N>>> {
      try {
        return JSON.parse(await bridge.ask(name, JSON.stringify(input))) as Answer<CallOutput<N>>
      } catch {
        // The core is stopping, and this window with it.
        return { ok: false, fault: { kind: 'stopped', detail: '' } }
      }
    },
    on: listeners.on,
    onReach(listener) {
      listener(true)
      return () => {}
    },
  }
}
