import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { startService, type Service } from '../../../src-service/service.ts'
import { seeded } from '../../inventory/world.ts'
import { forkVerbs, moment, serveVerbs, type Forked } from '../../support/verbs.ts'
import type { ServiceFacts } from './service-process.ts'
import { processorTime } from './watched-loop.ts'

/**
 * The reference service in a process of its own, with a faster stream than its own: an event is written as soon as the
 * socket accepts it, without GraphQL.
 */
export type FloodingService = Forked<ReturnType<typeof openVerbs>>
export const forkFloodingService = (): FloodingService => forkVerbs(import.meta.url)

export interface Flooded {
  /** Number of changes, of one device each. */
  changes: number
  /** Number of changes sent to a watcher. */
  sent: number
  /** Time until the socket had accepted the last one, ms. */
  took: number
}

/** Unsent bytes above which it waits, so that the rest of the burst waits here and not in the socket's buffer. */
const highWater = 1024 * 1024

interface Watcher {
  socket: WebSocket
  id: string
}

function openVerbs() {
  const watchers = new Map<string, Watcher>()
  let running: Service | null = null
  const service = (): Service => {
    if (running === null) throw new Error('the service was not started')
    return running
  }
  return {
    async start(options: { devices: number; tenants: number }): Promise<ServiceFacts> {
      const started = await startService({ ...options, points: false })
      running = started
      const {
        tokenUrl,
        graphqlUrl,
        clientId,
        clientSecret,
        ca,
        certificates: { certificate, key },
        world,
      } = started
      const subscriptionUrl = await listenTo(createServer({ cert: certificate, key }), watchers)
      const devices = world
        .devices()
        .map(({ id, tenantId, site, connected }) => ({ id, tenantId, siteId: site?.id ?? null, connected }))
      return { addresses: { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca }, devices }
    },
    processorTime,
    flood: (rounds: number): Promise<Flooded> => flood(service(), watchers, rounds),
    states: (): Map<string, boolean | null> =>
      new Map(
        service()
          .world.devices()
          .map(({ id, connected }) => [id, connected]),
      ),
  }
}

async function listenTo(server: Server, watchers: Map<string, Watcher>): Promise<string> {
  new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' }).on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data)) as {
        type: string
        id: string
        payload?: { variables?: { deviceIds?: string[] } }
      }
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}')
      if (type === 'ping') socket.send('{"type":"pong"}')
      for (const device of payload?.variables?.deviceIds ?? []) watchers.set(device, { socket, id })
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `wss://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
}

/** Changes every device once in each round, in another order; each event reports a changed status. */
async function flood({ world }: Service, watchers: ReadonlyMap<string, Watcher>, rounds: number): Promise<Flooded> {
  const fleet = world.devices().map(({ id, tenantId, name, connected, site, room, softwareVersion, macAddress }) => ({
    is: connected === true,
    event: {
      id,
      tenantId,
      name,
      siteId: site?.id ?? null,
      roomId: room?.id ?? null,
      softwareVersion,
      macAddress,
      connected: false,
    },
  }))
  const random = seeded(15)
  const began = moment()
  let sent = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const device of fleet
      .map((each) => ({ each, draw: random() }))
      .sort((one, other) => one.draw - other.draw)
      .map(({ each }) => each)) {
      device.is = !device.is
      world.setConnected(device.event.id, device.is)
      const watcher = watchers.get(device.event.id)
      if (watcher === undefined || watcher.socket.readyState !== watcher.socket.OPEN) continue
      const text = JSON.stringify({
        id: watcher.id,
        type: 'next',
        payload: { data: { deviceStream: { ...device.event, connected: device.is } } },
      })
      sent += 1
      if (watcher.socket.bufferedAmount < highWater) watcher.socket.send(text)
      else
        await new Promise<void>((resolve) => {
          watcher.socket.send(text, () => resolve())
        })
    }
  }
  return { changes: rounds * fleet.length, sent, took: moment() - began }
}

serveVerbs(openVerbs())
