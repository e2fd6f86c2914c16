import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { execute, parse, validate } from 'graphql'
import { makeCertificates } from '../../src-service/net/certificates.ts'
import type { GraphContext } from '../../src-service/graphql/context.ts'
import { startLedger } from '../../src-service/graphql/points/ledger.ts'
import { startPageTokens } from '../../src-service/graphql/schema/page-token.ts'
import { startReboots } from '../../src-service/world/life/reboots.ts'
import { openPlanes } from '../../src-service/faults/misfortune/regions.ts'
import { usualContrary } from '../../src-service/faults/contrary/profile.ts'
import { startWatchCounts } from '../../src-service/faults/contrary/transport/stream.ts'
import { makeSchema } from '../../src-service/graphql/schema/schema.ts'
import { startService } from '../../src-service/service.ts'
import { startHub } from '../../src-service/stream/streams.ts'
import { createWorld } from '../../src-service/world/world.ts'

/**
 * The reference service, or a bare graphql-js handler over the same schema and world, each in a process of its own. The
 * bare one reads the body, parses, validates, executes and writes: no token, cost, limit or headers of it.
 */
export interface GraphServer {
  origin: string
  ca: string
  /** Milliseconds from the start of the world's creation to the open port. */
  took: number
  /** Null for the bare handler, which needs no token. */
  pair: { client_id: string; client_secret: string } | null
  tenants: string[]
  /** Resolves with the memory after a full collection, MiB. */
  memory(): Promise<Memory>
  stop(): Promise<void>
}

export interface Memory {
  rss: number
  heap: number
}

type Kind = 'service' | 'bare'
type Started = Omit<GraphServer, 'memory' | 'stop'>

export async function forkGraphServer(kind: Kind, devices: number): Promise<GraphServer> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', kind, String(devices)], {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
  })
  const [started] = (await once(child, 'message')) as [Started]
  return {
    ...started,
    async memory() {
      child.send('memory')
      return ((await once(child, 'message')) as [Memory])[0]
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

async function serveService(devices: number): Promise<Started> {
  const began = Date.now()
  // Every operation is charged as usual, from a balance that no benchmark uses up.
  const service = await startService({ devices, balance: 2 ** 31 - 1 })
  const took = Date.now() - began
  const pair = { client_id: service.clientId, client_secret: service.clientSecret }
  return {
    origin: new URL(service.graphqlUrl).origin,
    ca: service.ca,
    took,
    pair,
    tenants: service.world.tenants().map(({ id }) => id),
  }
}

async function serveBare(devices: number): Promise<Started> {
  const began = Date.now()
  const now = Date.now
  const world = createWorld({ devices, now })
  const schema = makeSchema('full')
  const ledger = startLedger({ balance: 1, costLimit: 1, windowMs: 60_000, enforced: false, now })
  const set = { clientId: 'bare', clientSecret: '', name: 'bare', role: 'admin', reach: null, active: true } as const
  const session = { set, expiresAt: Number.POSITIVE_INFINITY }
  const contrary = usualContrary('full', now)
  const context: Omit<GraphContext, 'call'> = {
    world,
    planes: openPlanes(world),
    ledger,
    pageTokens: startPageTokens(),
    hub: startHub(world),
    reboots: startReboots({ world, seed: 1, now }),
    contrary,
    watchCounts: startWatchCounts(contrary, world),
    nowSeconds: () => Math.floor(now() / 1000),
  }
  const { certificate, key, ca } = await makeCertificates()
  const server = createSecureServer({ cert: certificate, key })
  server.on(
    'stream',
    (stream: ServerHttp2Stream, _headers: IncomingHttpHeaders) =>
      void text(stream).then(async (body) => {
        const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> }
        const document = parse(query)
        const errors = validate(schema, document)
        const contextValue: GraphContext = { ...context, call: { session, charge: null } }
        const result =
          errors.length > 0 ? { errors } : await execute({ schema, document, variableValues: variables, contextValue })
        stream.respond({ ':status': 200, 'content-type': 'application/json; charset=utf-8' })
        stream.end(JSON.stringify(result))
      }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://127.0.0.1:${port}`,
    ca,
    took: Date.now() - began,
    pair: null,
    tenants: world.tenants().map(({ id }) => id),
  }
}

function memory(): Memory {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 }
}

if (process.argv[2] === '--child') {
  const devices = Number(process.argv[4])
  const started = process.argv[3] === 'service' ? await serveService(devices) : await serveBare(devices)
  process.send?.(started)
  process.on('message', () => process.send?.(memory()))
  process.on('disconnect', () => process.exit(0))
}
