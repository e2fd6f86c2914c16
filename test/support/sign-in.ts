import { once } from 'node:events'
import type { WebSocket } from 'ws'
import { musterProof, nonce, verifierOf, windowProof, type Exchange } from '../../src-shared/lib/proof.ts'

export const nextFrame = async (socket: WebSocket): Promise<unknown> =>
  JSON.parse(String((await once(socket, 'message'))[0]))

export interface Challenged {
  exchange: Exchange
  /** Whether Muster has proven that it knows the key. */
  genuine: boolean
}

/** A window that greets with this key, up to Muster's challenge. */
export async function greet(socket: WebSocket, key: string, origin: string): Promise<Challenged> {
  const verifier = await verifierOf(key)
  const hello = { id: verifier.id, nonce: nonce() }
  const answered = nextFrame(socket)
  socket.send(JSON.stringify({ hello }))
  const { challenge } = (await answered) as { challenge: { nonce: string; proof: string } }
  const exchange = { origin, id: hello.id, window: hello.nonce, muster: challenge.nonce }
  return { exchange, genuine: challenge.proof === (await musterProof(verifier, exchange)) }
}

/** A window that has signed in with this key over an open socket. */
export async function signInBy(socket: WebSocket, key: string, origin: string): Promise<Exchange> {
  const { exchange } = await greet(socket, key, origin)
  const welcomed = nextFrame(socket)
  socket.send(JSON.stringify({ proof: await windowProof(key, exchange) }))
  if (!('welcome' in ((await welcomed) as object))) throw new Error('not let in')
  return exchange
}

/** The key of an address, as a window reads it. */
export const keyIn = (url: string): string => /#key=([\w-]{43})$/u.exec(url)?.[1] ?? ''
