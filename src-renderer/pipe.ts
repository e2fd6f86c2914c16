import type { Clock } from '../src-shared/clock.ts'
import type { Answer, CallInput, CallName, CallOutput, EventData, EventName, Pipe } from '../src-shared/contract.ts'
import { callLimit } from '../src-shared/limits.ts'

/** The pipe of the web shell, with the way to close it for good. */
export interface WebPipe extends Pipe {
  stop(): void
}

interface Options {
  url: string
  clock: Clock
  dial?: (url: string) => WebSocket
  /** 0 to 1, for the jitter of the next try. */
  random?: () => number
}

type Frame = { id: number; answer: Answer<unknown> } | { event: EventName; data: unknown }

/** What a call gets that was under way, or was made, while the core could not be reached. */
const unreachable: Answer<never> = { ok: false, fault: { kind: 'stopped', detail: '' } }

/** What would break the pipe is not sent. */
const tooMuch: Answer<never> = { ok: false, fault: { kind: 'input', detail: 'This is more than Muster can take at once. Do it in parts.' } }

/**
 * Speaks JSON text frames with the web shell: `{id, call, input}` out, `{id, answer}` and `{event, data}` in. Connects
 * again by itself, with full jitter, when the core's process goes; a new listener of `onReach` hears the present state.
 */
export function openWebPipe({ url, clock, dial = (to) => new WebSocket(to), random = Math.random }: Options): WebPipe {
  const asked = new Map<number, (answer: Answer<never>) => void>()
  const heard = createListeners()
  const reachListeners = new Set<(reached: boolean) => void>()
  let socket: WebSocket | null = null
  let reached: boolean | null = null
  let lastId = 0
  let failures = 0
  let stopped = false
  let cancelRetry = () => {}

  function connect() {
    socket = dial(url)
    socket.addEventListener('open', () => {
      failures = 0
      tellReach(true)
    })
    socket.addEventListener('message', ({ data }) => hear(String(data)))
    socket.addEventListener('close', lose)
  }

  function hear(text: string) {
    const frame = JSON.parse(text) as Frame
    if ('event' in frame) return heard.tell(frame.event, frame.data)
    asked.get(frame.id)?.(frame.answer as Answer<never>)
    asked.delete(frame.id)
  }

  function lose() {
    socket = null
    for (const answer of asked.values()) answer(unreachable)
    asked.clear()
    if (stopped) return
    tellReach(false)
    cancelRetry = clock.after(retryDelay(failures, random()), connect)
    failures += 1
  }

  function tellReach(now: boolean) {
    if (reached === now) return
    reached = now
    reachListeners.forEach((listener) => listener(now))
  }

  function call<N extends CallName>(name: N, input: CallInput<N>) {
    return new Promise<Answer<CallOutput<N>>>((resolve) => {
      if (socket === null || reached !== true) return resolve(unreachable)
      const text = JSON.stringify({ id: (lastId += 1), call: name, input })
      if (!fits(text)) return resolve(tooMuch)
      socket.send(text)
      asked.set(lastId, resolve)
    })
  }

  connect()
  return {
    call,
    on: heard.on,
    onReach(listener) {
      reachListeners.add(listener)
      if (reached !== null) listener(reached)
      return () => reachListeners.delete(listener)
    },
    stop() {
      stopped = true
      cancelRetry()
      socket?.close()
    },
  }
}

/** No character takes more than three bytes, so nearly always there is nothing to count. */
function fits(text: string): boolean {
  return text.length * 3 <= callLimit || new TextEncoder().encode(text).length <= callLimit
}

function createListeners() {
  const listeners = new Map<EventName, Set<(data: never) => void>>()
  return {
    on<N extends EventName>(name: N, listener: (data: EventData<N>) => void) {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known.add(listener))
      return () => known.delete(listener)
    },
    tell(name: EventName, data: unknown) {
      listeners.get(name)?.forEach((listener) => listener(data as never))
    },
  }
}

/** Milliseconds to the next try: full jitter under a ceiling that doubles up to 5 s; the core is on this machine. */
export function retryDelay(failures: number, random: number): number {
  return 100 + random * Math.min(5000, 250 * 2 ** Math.min(failures, 10))
}

/** Where the web shell listens for the page at `location`. */
export function pipeUrl(location: { protocol: string; host: string }): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/pipe`
}
