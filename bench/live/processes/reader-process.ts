import { WebSocket } from 'ws'
import { forkVerbs, moment, serveVerbs, type Forked } from '../../support/verbs.ts'
import type { ServiceFacts } from './service-process.ts'
import { peakResident, watchedLoop } from './watched-loop.ts'

/** A socket that only reads and parses every message. */
export type Reader = Forked<ReturnType<typeof openVerbs>>
export const forkReader = (): Reader => forkVerbs(import.meta.url)

function openVerbs() {
  const loop = watchedLoop()
  let [events, lastAt] = [0, 0]
  return {
    open: ({ addresses, devices }: ServiceFacts): Promise<void> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(addresses.subscriptionUrl, 'graphql-transport-ws', {
          ca: addresses.ca,
          perMessageDeflate: false,
        })
        const send = (message: unknown): void => socket.send(JSON.stringify(message))
        socket.on('error', reject)
        socket.on('open', () => send({ type: 'connection_init' }))
        socket.on('message', (data) => {
          const { type } = JSON.parse(String(data)) as { type: string }
          if (type === 'connection_ack') {
            send({ type: 'subscribe', id: 'all', payload: { variables: { deviceIds: devices.map(({ id }) => id) } } })
            send({ type: 'ping' })
          }
          if (type === 'pong') resolve()
          if (type === 'next') [events, lastAt] = [events + 1, moment()]
        })
      }),
    watchLoop: loop.begin,
    loop: loop.read,
    peakResident,
    progress: (): { events: number; lastAt: number } => ({ events, lastAt }),
  }
}

serveVerbs(openVerbs())
