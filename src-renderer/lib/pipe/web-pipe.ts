import type { Clock } from '../../../src-shared/lib/clock.ts'
import { createListeners } from '../../../src-shared/lib/listeners.ts'
import { createEventListeners } from './event-listeners.ts'
import type { Answer, CallInput, CallName, CallOutput, EventName, Pipe } from '../../../src-shared/contract/contract.ts'
import { limitOf } from '../../../src-shared/contract/limits.ts'
import { signedOutCode } from '../../../src-shared/lib/proof.ts'
import { signIn, type Talk, type WindowKeys } from './sign-in.ts'

/**
 * The sign-in state of this window. `out`: it must sign in, and does not try any more. `stranger`: the program at its
 * address is not the Muster that it signed in to.
 */
export type PipeState = 'in' | 'out' | 'stranger'

/** The pipe of the web shell, with a function that closes it. */
export interface WebPipe extends Pipe {
  /**
   * Calls the listener with the sign-in state once it is known, and after each change. Returns a function that removes
   * the listener.
   */
  onSignInState(listener: (signInState: PipeState) => void): () => void
  /** Tries the keys again, for a window that is signed out. */
  signIn(): void
  stop(): void
}

interface Options {
  url: string
  /** The page's origin, which the proofs cover. */
  origin: string
  keys: WindowKeys
  /**
   * Resolves with whether another tab vouched for this one, so that it has a key. Without it a window without a key is
   * signed out.
   */
  vouched?: () => Promise<boolean>
  clock: Clock
  dial?: (url: string) => WebSocket
  /** Returns a number from 0 to 1, for the jitter of the next try. */
  random?: () => number
}

type Frame = { id: number; answer: Answer<unknown> } | { event: EventName; data: unknown }

/** The answer to calls that were pending, or were made, while the core was unreachable. */
const unreachable: Answer<never> = { ok: false, fault: { kind: 'stopped', detail: '' } }

/** The answer to a call that is too large for the pipe and was not sent. */
const tooMuch: Answer<never> = {
  ok: false,
  fault: { kind: 'input', detail: 'This is more than Muster can take at once. Do it in parts.' },
}

/**
 * Opens the pipe to the web shell, which uses JSON text frames: `{id, call, input}` out, `{id, answer}` and `{event,
 * data}` in. It reconnects with full jitter when the core's process ends; a new listener of `onReach` receives the
 * present state. Each connection begins with the proofs of both sides (sign-in.ts); before that, nothing else is sent
 * and nothing received is trusted.
 */
export function openWebPipe(options: Options): WebPipe {
  const { url, origin, keys, vouched = async () => false, clock, dial = dialled, random = Math.random } = options
  const asked = createAsked()
  const received = createEventListeners()
  const reachState = createState<boolean>()
  const signInState = createState<PipeState>()
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
      onFrame: (text) => handleFrame(JSON.parse(text) as Frame, received, asked),
      lose: (code) => {
        if (code === signedOutCode) keys.drop(key.once)
        lose(code === signedOutCode)
      },
    })
  }

  function signed(mine: WebSocket, result: 'in' | 'stranger') {
    signInState.set(result)
    if (result === 'stranger') return mine.close()
    retry.reset()
    again = onceOf(vouched)
    reachState.set(true)
  }

  const onVouched = (found: boolean) => {
    if (!found) signInState.set('out')
    else if (!stopped) connect()
  }

  /** `next`: another key may be available. */
  function lose(next: boolean) {
    socket = null
    asked.drop()
    if (stopped) return
    reachState.set(false)
    if (next) return connect()
    retry.later()
  }

  connect()
  return {
    call: (name, input) => asked.call(reachState.get() === true ? socket : null, name, input),
    on: received.on,
    onReach: reachState.on,
    onSignInState: signInState.on,
    signIn() {
      if (signInState.get() !== 'out') return
      signInState.set('in')
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

/** Retries after a delay that grows with each failure. */
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

function handleFrame(
  frame: Frame,
  received: ReturnType<typeof createEventListeners>,
  asked: ReturnType<typeof createAsked>,
): void {
  if ('event' in frame) received.emit(frame.event, frame.data)
  else asked.answer(frame.id, frame.answer as Answer<never>)
}

/** Returns a function that asks only once, because a refusal does not change. */
function onceOf(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asked = false
  return async () => {
    if (asked) return false
    asked = true
    return ask()
  }
}

/** The pending calls. */
function createAsked() {
  const waiting = new Map<number, (answer: Answer<never>) => void>()
  let last = 0
  return {
    /** `socket`: null while Muster is unreachable. */
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

interface SocketHandlers {
  onSigned(result: 'in' | 'stranger'): void
  /** Handles a frame of a Muster that has proven itself. */
  onFrame(text: string): void
  lose(code: number): void
}

/** Handles a socket from its opening: first the proofs, then frames. */
function listen(
  socket: WebSocket,
  prove: (talk: Talk) => ReturnType<typeof signIn>,
  { onSigned, onFrame, lose }: SocketHandlers,
): void {
  const inbox = createInbox()
  let signed = false
  socket.addEventListener('open', () => {
    void prove({ send: (message) => socket.send(JSON.stringify(message)), next: inbox.next }).then((result) => {
      signed = result === 'in'
      if (result !== 'lost') onSigned(result)
    })
  })
  socket.addEventListener('message', ({ data }) => (signed ? onFrame(String(data)) : inbox.put(String(data))))
  socket.addEventListener('close', ({ code }) => {
    inbox.end()
    lose(code)
  })
}

/**
 * Returns whether a text fits a limit in bytes. No UTF-16 unit takes more than three bytes, so exact counting is rarely
 * needed.
 */
function fits(text: string, limit: number): boolean {
  return text.length * 3 <= limit || new TextEncoder().encode(text).length <= limit
}

/** A queue of the messages before the proof; null is the end. */
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

/** Creates a value that listeners receive once it is set, and after each change. */
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

/**
 * Returns the delay to the next try (ms): full jitter under a limit that doubles up to 5 s, because the core is on this
 * machine.
 */
export function retryDelay(failures: number, random: number): number {
  return 100 + random * Math.min(5000, 250 * 2 ** Math.min(failures, 10))
}

/** Returns the address of the web shell's pipe for the page at `location`. */
export function pipeUrl(location: { protocol: string; host: string }): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/pipe`
}
