import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket, WebSocketServer } from 'ws'
import { makeCertificates } from '../../src-service/net/certificates.ts'
import { startService } from '../../src-service/service.ts'
import { createWorld } from '../../src-service/world/world.ts'
import type { Device } from '../../src-service/world/device.ts'
import type { World } from '../../src-service/world/world.ts'

/**
 * The reference service, or a bare `ws` server that writes the same events as JSON without GraphQL, each with the same
 * world in a process of its own, which also makes the changes.
 */
export interface StreamServer {
  url: string
  ca: string
  /** Null for the bare server, which needs no token. */
  login: { tokenUrl: string; client_id: string; client_secret: string } | null
  ids: string[]
  /** Makes changes at a rate, of one watched device after the other; resolves after the last. */
  drive(order: Order): Promise<Driven>
  stop(): Promise<void>
}

export interface Order {
  events: number
  perSecond: number
}
/** Milliseconds, and the share of one core that the process took. */
export interface Driven {
  took: number
  stall: number
  usualStall: number
  cpu: number
}

type Started = Omit<StreamServer, 'drive' | 'stop'>

export async function forkStreamServer(
  kind: 'service' | 'bare',
  devices: number,
  watched: number,
): Promise<StreamServer> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', kind, String(devices), String(watched)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [started] = (await once(child, 'message')) as [Started]
  return {
    ...started,
    async drive(order) {
      child.send(order)
      return ((await once(child, 'message')) as [Driven])[0]
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

type Verbs = Pick<World, 'devices' | 'renameDevice'>

async function serveService(devices: number): Promise<Omit<Started, 'ids'> & { world: Verbs }> {
  const { world, subscriptionUrl, tokenUrl, ca, clientId, clientSecret } = await startService({
    devices,
    points: false,
  })
  return { world, url: subscriptionUrl, ca, login: { tokenUrl, client_id: clientId, client_secret: clientSecret } }
}

async function serveBare(devices: number): Promise<Omit<Started, 'ids'> & { world: Verbs }> {
  const world = createWorld({ devices, now: Date.now })
  const { ca, certificate, key } = await makeCertificates()
  const server = createServer({ cert: certificate, key })
  const watchers = new Map<string, { socket: WebSocket; id: string }>()
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id, ids } = JSON.parse(data.toString()) as { id: string; ids: string[] }
      for (const deviceId of ids) watchers.set(deviceId, { socket, id })
      socket.send('{"type":"connection_ack"}')
    })
  })
  world.onChange((device) => {
    const watcher = watchers.get(device.id)
    watcher?.socket.send(
      JSON.stringify({ id: watcher.id, type: 'next', payload: { data: { deviceStream: eventOf(device) } } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { world, url: `wss://127.0.0.1:${(server.address() as AddressInfo).port}`, ca, login: null }
}

/** Returns the thirteen fields of the event, except the id of the model, which this world does not have. */
function eventOf({
  connected,
  externalIp,
  hardwareRevision,
  id,
  macAddress,
  name,
  productId,
  room,
  site,
  softwareBuild,
  softwareVersion,
  tenantId,
  hardwareModel,
}: Device) {
  return {
    connected,
    externalIp,
    hardwareRevision,
    id,
    macAddress,
    modelId: hardwareModel,
    name,
    productId,
    roomId: room?.id ?? null,
    siteId: site?.id ?? null,
    softwareBuild,
    softwareVersion,
    tenantId,
  }
}

/** Makes the changes. Each carries its moment on the machine's monotonic clock, which all processes share. */
async function drive(world: Verbs, ids: readonly string[], { events, perSecond }: Order): Promise<Driven> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  for (let made = 0; made < events;) {
    const due = Math.min(events, 1 + Math.floor(((performance.now() - began) / 1000) * perSecond))
    for (; made < due; made += 1) world.renameDevice(ids[made % ids.length] ?? '', `at ${process.hrtime.bigint()}`)
    await setTimeout(1)
  }
  const took = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  return { took, stall: delay.max / 1e6, usualStall: delay.percentile(99) / 1e6, cpu: (user + system) / 1000 / took }
}

async function serve(kind: string, devices: number, watched: number): Promise<void> {
  const { world, ...started } = await (kind === 'service' ? serveService(devices) : serveBare(devices))
  const ids = world
    .devices()
    .slice(0, watched)
    .map(({ id }) => id)
  process.send?.({ ...started, ids })
  process.on('message', (order) => void drive(world, ids, order as Order).then((driven) => process.send?.(driven)))
  process.on('disconnect', () => process.exit(0))
}

if (process.argv[2] === '--child') await serve(process.argv[3] ?? '', Number(process.argv[4]), Number(process.argv[5]))
