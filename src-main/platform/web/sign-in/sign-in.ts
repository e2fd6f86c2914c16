import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { checkWindow, musterProof, nonce, signedOutCode } from '../../../../src-shared/lib/proof.ts'
import type { AccessGuard } from './access-guard.ts'

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const hello = z.object({ hello: z.object({ id: hex, nonce: hex }) })
const proof = z.object({ proof: hex })

/**
 * Why a window was rejected: its key is unknown or was used, its proof is wrong, or it sent something else or nothing.
 */
export type SignInFault = 'key' | 'proof' | 'silence'

/** Largest sign-in, bytes: more than its two messages, and much less than a call. */
const maxBytes = 4096
const timeoutMs = 10_000

/**
 * Muster's side of the proof (src-shared/lib/proof.ts), on a new pipe: `{"hello": {id, nonce}}` from the window,
 * `{"challenge": {nonce, proof}}`, `{"proof": …}` from the window, and `{"welcome": true}`. Resolves with the id of the
 * window's session. A window with an unknown key receives only `signedOutCode`.
 */
export async function signIn(
  socket: WebSocket,
  raw: Duplex,
  guard: Pick<AccessGuard, 'origin' | 'find' | 'enter'>,
  clock: Clock,
): Promise<{ session: string } | { fault: SignInFault }> {
  const unbound = bound(raw, socket)
  const cancel = clock.after(timeoutMs, () => socket.terminate())
  const reject = (fault: SignInFault, code = signedOutCode) => {
    socket.close(code, 'sign in again')
    return { fault }
  }
  try {
    const greeting = hello.safeParse(await nextMessage(socket)).data?.hello
    if (greeting === undefined) return reject('silence', 1008)
    const verifier = await guard.find(greeting.id)
    if (verifier === null) return reject('key')
    const exchange = { origin: guard.origin(), id: greeting.id, window: greeting.nonce, muster: nonce() }
    const answered = nextMessage(socket)
    socket.send(JSON.stringify({ challenge: { nonce: exchange.muster, proof: await musterProof(verifier, exchange) } }))
    const proven = proof.safeParse(await answered).data?.proof
    if (proven === undefined) return reject('silence', 1008)
    const key = await checkWindow(verifier, exchange, proven)
    if (key === null) return reject('proof')
    const session = await guard.enter(greeting.id, key)
    if (session === null) return reject('key')
    socket.send(JSON.stringify({ welcome: true }))
    return { session }
  } finally {
    cancel()
    unbound()
  }
}

/** Limits the bytes of a window before its sign-in, so that it cannot make Muster buffer a long call. */
function bound(raw: Duplex, socket: WebSocket): () => void {
  let bytes = 0
  const count = (piece: Buffer) => {
    bytes += piece.length
    if (bytes > maxBytes) socket.terminate()
  }
  raw.on('data', count)
  return () => raw.off('data', count)
}

/** Resolves with the next message; null when it is not JSON, or the pipe was closed. */
function nextMessage(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve) => {
    const done = (value: unknown) => {
      socket.off('message', message)
      socket.off('close', closed)
      resolve(value)
    }
    const closed = () => done(null)
    const message = (data: unknown, binary: boolean) => {
      try {
        done(binary ? null : JSON.parse(String(data)))
      } catch {
        done(null)
      }
    }
    socket.on('message', message)
    socket.on('close', closed)
  })
}
