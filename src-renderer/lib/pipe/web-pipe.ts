import type { Clock } from '../../../src-shared/lib/clock.ts'
import { createListeners } from '../../../src-shared/lib/listeners.ts'
import { createEventListeners } from './event-listeners.ts'
import type { Answer, CallInput, CallName, CallOutput, EventName, Pipe } from '../../../src-shared/contract/contract.ts'
import { limitOf } from '../../../src-shared/contract/limits.ts'
import { signedOutCode } from '../../../src-shared/lib/proof.ts'
import { signIn, type Talk, type WindowKeys } from './sign-in.ts'

/**
 * How this window stands with its Muster. `out`: it has to sign in, and asks nobody any more. `stranger`: what answers at its address
 * is not the Muster that let it in.
 */
export type PipeState = 'in' | 'out' | 'stranger'

/** The pipe of the web shell, with the way to close it for good. */
export interface WebPipe extends Pipe {
  /** Hears the standing as it is, once there is one, and each that follows. Returns the way to stop. */
  onStanding(listener: (standing: PipeState) => void): () => void
  /** Tries the keys anew, for a window that is out. */
  signIn(): void
  stop(): void
}

interface Options {
  url: string
  /** The page's, which is part of what is proven. */
  origin: string
  keys: WindowKeys
  /** Another tab's word for this one: whether there is a key now. Without it a window without a key is out. */
  vouched?: () => Promise<boolean>
  clock: Clock
  dial?: (url: string) => WebSocket
  /** 0 to 1, for the jitter of the next try. */
  random?: () => number
}

type Frame = { id: number; answer: Answer<unknown> } | { event: EventName; data: unknown }

/** What a call gets that was under way, or was made, while the core could not be reached. */
const unreachable: Answer<never> = { ok: false, fault: { kind: 'stopped', detail: '' } }

/** What would break the pipe is not sent. */
const tooMuch: Answer<never> = {
  ok: false,
  fault: { kind: 'input', detail: 'This is more than Muster can take at once. Do it in parts.' },
}

/**
 * Speaks JSON text frames with the web shell: `{id, call, input}` out, `{id, answer}` and `{event, data}` in. Connects
 * again by itself, with full jitter, when the core's process goes; a new listener of `onReach` hears the present state. Each
 * connection begins with the proof of both sides (sign-in.ts); nothing else is said before, and nothing that is heard is believed.
 */
export function openWebPipe(options: Options): WebPipe {
  const { url, origin, keys, vouched = async () => false, clock, dial = dialled, random = Math.random } = options
  const asked = createAsked()
  const received = createEventListeners()
  const reaching = createState<boolean>()
  const standing = createState<PipeState>()
  let socket: WebSocket | null = null
  const retry = createRetry(clock, random, connect)
  let stopped = false
  let again = onceOf(vouched)

  function connect() {
    const key = keys.first()
    if (key === null) return void again().then(onVouched)
    const mine = dial(url)
    socket = mine
    listen(mine, (talk) => signIn(talk, keys, key, origin), {
      onSigned: (result) => {
        if (socket === mine) signed(mine, result)
      },
      hear: (text) => hearFrame(JSON.parse(text) as Frame, received, asked),
      lose: (code) => {
        if (code === signedOutCode) keys.drop(key.once)
        lose(code === signedOutCode)
      },
    })
  }

  function signed(mine: WebSocket, result: 'in' | 'stranger') {
    standing.set(result)
    if (result === 'stranger') return mine.close()
    retry.reset()
    again = onceOf(vouched)
    reaching.set(true)
  }

  const onVouched = (found: boolean) => {
    if (!found) standing.set('out')
    else if (!stopped) connect()
  }

  /** `next`: there may be another key to try. */
  function lose(next: boolean) {
    socket = null
    asked.drop()
    if (stopped) return
    reaching.set(false)
    if (next) return connect()
    retry.later()
  }

  connect()
  return {
    call: (name, input) => asked.call(reaching.get() === true ? socket : null, name, input),
    on: received.on,
    onReach: reaching.on,
    onStanding: standing.on,
    signIn() {
      if (standing.get() !== 'out') return
      standing.set('in')
      again = onceOf(vouched)
      connect()
    },
    stop() {
      stopped = true
      retry.cancel()
      socket?.close()
    },
  }
}

const dialled = (url: string): WebSocket => new WebSocket(url)

/** Tries again after a while that grows with each failure. */
function createRetry(clock: Clock, random: () => number, run: () => void) {
  let failures = 0
  let cancel = () => {}
  return {
    later() {
      cancel = clock.after(retryDelay(failures, random()), run)
      failures += 1
    },
    reset() {
      failures = 0
    },
    cancel: () => cancel(),
  }
}

function hearFrame(
  frame: Frame,
  received: ReturnType<typeof createEventListeners>,
  asked: ReturnType<typeof createAsked>,
): void {
  if ('event' in frame) received.emit(frame.event, frame.data)
  else asked.answer(frame.id, frame.answer as Answer<never>)
}

/** An answer that lets nobody in is not asked for again and again. */
function onceOf(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asked = false
  return async () => {
    if (asked) return false
    asked = true
    return ask()
  }
}

/** Calls that wait for their answers. */
function createAsked() {
  const waiting = new Map<number, (answer: Answer<never>) => void>()
  let last = 0
  return {
    /** `socket`: null while Muster cannot be reached. */
    call<N extends CallName>(socket: WebSocket | null, name: N, input: CallInput<N>) {
      return new Promise<Answer<CallOutput<N>>>((resolve) => {
        if (socket === null) return resolve(unreachable)
        last += 1
        const text = JSON.stringify({ id: last, call: name, input })
        if (!fits(text, limitOf(name))) return resolve(tooMuch)
        socket.send(text)
        waiting.set(last, resolve)
      })
    },
    answer(id: number, answer: Answer<never>) {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
    drop() {
      for (const resolve of waiting.values()) resolve(unreachable)
      waiting.clear()
    },
  }
}

interface Heard {
  onSigned(result: 'in' | 'stranger'): void
  /** A frame of a Muster that has proven itself. */
  hear(text: string): void
  lose(code: number): void
}

/** A socket from its opening on: first the proof, then frames. */
function listen(
  socket: WebSocket,
  prove: (talk: Talk) => ReturnType<typeof signIn>,
  { onSigned, hear, lose }: Heard,
): void {
  const inbox = createInbox()
  let signed = false
  socket.addEventListener('open', () => {
    void prove({ say: (message) => socket.send(JSON.stringify(message)), next: inbox.next }).then((result) => {
      signed = result === 'in'
      if (result !== 'lost') onSigned(result)
    })
  })
  socket.addEventListener('message', ({ data }) => (signed ? hear(String(data)) : inbox.put(String(data))))
  socket.addEventListener('close', ({ code }) => {
    inbox.end()
    lose(code)
  })
}

/** No character takes more than three bytes, so nearly always there is nothing to count. */
function fits(text: string, limit: number): boolean {
  return text.length * 3 <= limit || new TextEncoder().encode(text).length <= limit
}

/** What the other side says before it is known, one after the other; null is its end. */
function createInbox() {
  const waiting: unknown[] = []
  let wanted: ((message: unknown) => void) | null = null
  let ended = false
  const put = (message: unknown) => {
    if (wanted === null) waiting.push(message)
    else wanted(message)
    wanted = null
  }
  return {
    put: (text: string) => put(parsed(text)),
    end() {
      ended = true
      put(null)
    },
    next: () =>
      new Promise<unknown>((resolve) => {
        if (waiting.length > 0) resolve(waiting.shift())
        else if (ended) resolve(null)
        else wanted = resolve
      }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return 'no JSON'
  }
}

/** A value that listeners hear as it is, once there is one, and whenever it changes. */
function createState<T>() {
  const listeners = createListeners<[value: T]>()
  let now: T | null = null
  return {
    get: () => now,
    set(value: T) {
      if (value === now) return
      now = value
      listeners.emit(value)
    },
    on(listener: (value: T) => void) {
      const off = listeners.on(listener)
      if (now !== null) listener(now)
      return off
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
