import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Service } from '../../../src-service/service.ts'
import { until } from '../client.ts'

/** A bare socket: what is sent and what comes is to the letter, and no library of GraphQL stands between. */
export type FrameSocket = {
  socket: WebSocket
  /** The received frames, parsed, oldest first. */
  heard: unknown[]
  /** Code and reason, once it is closed. */
  closed: () => [number, string] | null
  /** Text and bytes as they are, anything else as JSON. */
  send(frame: unknown): void
  /** Ready when so many messages have come. */
  next(count: number): Promise<unknown[]>
  ending(): Promise<[number, string]>
}

export async function frameSocket(
  service: Service,
  headers: Record<string, string> = {},
  protocols: string[] = ['graphql-transport-ws'],
): Promise<FrameSocket> {
  const socket = new WebSocket(service.subscriptionUrl, protocols, { ca: service.ca, headers })
  onTestFinished(() => socket.terminate())
  const heard: unknown[] = []
  let closed: [number, string] | null = null
  socket.on('message', (data) => heard.push(JSON.parse(data.toString())))
  socket.on('error', () => undefined)
  socket.once('close', (code, reason) => (closed = [code, reason.toString()]))
  await once(socket, 'open')
  return {
    socket,
    heard,
    closed: () => closed,
    send: (frame) =>
      socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame)),
    async next(count) {
      await until(() => heard.length >= count || closed !== null)
      return heard
    },
    async ending() {
      await until(() => closed !== null)
      return closed ?? [0, '']
    },
  }
}

/** A socket whose token was accepted. */
export async function acceptedSocket(service: Service, token: string): Promise<FrameSocket> {
  const frames = await frameSocket(service)
  frames.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
  await frames.next(1)
  return frames
}

export const watchQuery = 'subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) { id name connected } }'

export function subscribeFrame(id: string, ids: readonly string[]) {
  return { type: 'subscribe', id, payload: { query: watchQuery, variables: { ids } } }
}
