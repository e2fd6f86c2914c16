import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { checkWindow, musterProof, nonce, signedOutCode } from '../../../../src-shared/lib/proof.ts'
import type { Door } from './door.ts'

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const hello = z.object({ hello: z.object({ id: hex, nonce: hex }) })
const proof = z.object({ proof: hex })

/**
 * Why a window was rejected: its key is unknown or was used, its proof is wrong, or it sent something else or nothing.
 */
export type SignInFault = 'key' | 'proof' | 'silence'

/** Largest sign-in, bytes: more than its two messages, and much less than a call. */
const mostBytes = 4096
const mostMs = 10_000

/**
 * Muster's side of the proof (src-shared/lib/proof.ts), on a new pipe: `{"hello": {id, nonce}}` from the window,
 * `{"challenge": {nonce, proof}}`, `{"proof": …}` from the window, and `{"welcome": true}`. Resolves with the id of the
 * window's session. A window with an unknown key receives only `signedOutCode`.
 */
export async function signIn(
  socket: WebSocket,
  raw: Duplex,
  door: Pick<Door, 'origin' | 'find' | 'enter'>,
  clock: Clock,
): Promise<{ session: string } | { fault: SignInFault }> {
  const unbound = bound(raw, socket)
  const cancel = clock.after(mostMs, () => socket.terminate())
  const refused = (fault: SignInFault, code = signedOutCode) => {
    socket.close(code, 'sign in again')
    return { fault }
  }
  try {
    const said = hello.safeParse(await nextMessage(socket)).data?.hello
    if (said === undefined) return refused('silence', 1008)
    const verifier = await door.find(said.id)
    if (verifier === null) return refused('key')
    const exchange = { origin: door.origin(), id: said.id, window: said.nonce, muster: nonce() }
    const answered = nextMessage(socket)
    socket.send(JSON.stringify({ challenge: { nonce: exchange.muster, proof: await musterProof(verifier, exchange) } }))
    const proven = proof.safeParse(await answered).data?.proof
    if (proven === undefined) return refused('silence', 1008)
    const key = await checkWindow(verifier, exchange, proven)
    if (key === null) return refused('proof')
    const session = await door.enter(said.id, key)
    if (session === null) return refused('key')
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
    if (bytes > mostBytes) socket.terminate()
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
