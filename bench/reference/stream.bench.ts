import { once } from 'node:events'
import { Agent, request } from 'undici'
import { WebSocket } from 'ws'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { forkStreamServer } from './stream-server.ts'
import type { Driven, StreamServer } from './stream-server.ts'

/**
 * 10,000 devices watched on one socket, in one subscription and in a hundred, at 1,000 changes a second: from the
 * change to its receipt in another process, beside a bare `ws` server that writes the same events as JSON.
 */
const devices = 20_000
const watched = 10_000
const perSecond = 1000
const warmUp = 2000
const events = 10_000
const rounds = 3
/** Longest wait for events after the last change, ms; later ones count as lost. */
const patience = 5000

const query = `subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) {
  connected externalIp hardwareRevision id macAddress modelId name productId roomId siteId softwareBuild softwareVersion tenantId } }`

export async function run(): Promise<BenchRow[]> {
  const service = await forkStreamServer('service', devices, watched)
  const bare = await forkStreamServer('bare', devices, watched)
  try {
    const open = {
      one: await openService(service, 1),
      many: await openService(service, 100),
      bare: await openBare(bare),
    }
    const found = { one: [] as Round[], many: [] as Round[], bare: [] as Round[] }
    for (let round = 0; round < rounds; round += 1) {
      found.one.push(await measure(service, await open.one()))
      found.bare.push(await measure(bare, await open.bare()))
      found.many.push(await measure(service, await open.many()))
    }
    return [
      ...rowsOf('one subscription', found.one, found.bare),
      ...rowsOf('100 subscriptions', found.many, found.bare),
    ]
  } finally {
    await Promise.all([service.stop(), bare.stop()])
  }
}

interface Round extends Driven {
  delays: number[]
  lost: number
}
/** A socket that watches everything; `delays` (ms) grows with each event. */
interface Watching {
  socket: WebSocket
  delays: number[]
}

async function measure(server: StreamServer, { socket, delays }: Watching): Promise<Round> {
  const come = async (count: number): Promise<void> => {
    for (let waited = 0; delays.length < count && waited < patience; waited += 20)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await server.drive({ events: warmUp, perSecond })
  await come(warmUp)
  delays.length = 0
  const driven = await server.drive({ events, perSecond })
  await come(events)
  const gone = once(socket, 'close')
  socket.close()
  await gone
  return { ...driven, delays, lost: events - delays.length }
}

async function openService(
  { login, ca, url, ids }: StreamServer,
  subscriptions: number,
): Promise<() => Promise<Watching>> {
  const dispatcher = new Agent({ connect: { ca } })
  const { tokenUrl = '', ...pair } = login ?? {}
  const answer = await request(tokenUrl, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...pair, grant_type: 'client_credentials' }),
  })
  const { access_token: token } = (await answer.body.json()) as { access_token: string }
  await dispatcher.close()
  return async () => {
    const socket = new WebSocket(url, 'graphql-transport-ws', { ca })
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
    await once(socket, 'message')
    const size = ids.length / subscriptions
    for (let n = 0; n < subscriptions; n += 1)
      socket.send(
        JSON.stringify({
          type: 'subscribe',
          id: String(n),
          payload: { query, variables: { ids: ids.slice(n * size, (n + 1) * size) } },
        }),
      )
    socket.send('{"type":"ping"}')
    await once(socket, 'message')
    return listen(socket)
  }
}

async function openBare({ ca, url, ids }: StreamServer): Promise<() => Promise<Watching>> {
  return async () => {
    const socket = new WebSocket(url, { ca })
    await once(socket, 'open')
    socket.send(JSON.stringify({ id: '0', ids }))
    await once(socket, 'message')
    return listen(socket)
  }
}

function listen(socket: WebSocket): Watching {
  const delays: number[] = []
  socket.on('message', (data) => {
    const now = process.hrtime.bigint()
    const { payload } = JSON.parse(data.toString()) as { payload: { data: { deviceStream: { name: string } } } }
    delays.push(Number(now - BigInt(payload.data.deviceStream.name.slice(3))) / 1e6)
  })
  return { socket, delays }
}

function rowsOf(what: string, measured: readonly Round[], bare: readonly Round[]): BenchRow[] {
  const delay = (share: number): Pick<BenchRow, 'value' | 'baseline'> => ({
    value: rounded(
      percentile(
        measured.flatMap(({ delays }) => delays),
        share,
      ),
    ),
    baseline: rounded(
      percentile(
        bare.flatMap(({ delays }) => delays),
        share,
      ),
    ),
  })
  const middle = (of: 'stall' | 'usualStall' | 'cpu'): Pick<BenchRow, 'value' | 'baseline'> => ({
    value: rounded(
      percentile(
        measured.map((round) => round[of]),
        0.5,
      ),
    ),
    baseline: rounded(
      percentile(
        bare.map((round) => round[of]),
        0.5,
      ),
    ),
  })
  const lost = measured.reduce((sum, round) => sum + round.lost, 0)
  const noTarget = { target: null, holds: null }
  const name = (measure: string): string => `stream, 10,000 ids in ${what} at 1,000/s: ${measure}`
  return [
    {
      name: name(`lost of ${rounds * events}`),
      value: lost,
      unit: '',
      baseline: bare.reduce((sum, round) => sum + round.lost, 0),
      target: 0,
      holds: lost === 0,
    },
    {
      name: name('made and sent each second'),
      value: Math.round(
        events /
          (percentile(
            measured.map(({ took }) => took),
            0.5,
          ) /
            1000),
      ),
      unit: '1/s',
      baseline: Math.round(
        events /
          (percentile(
            bare.map(({ took }) => took),
            0.5,
          ) /
            1000),
      ),
      ...noTarget,
    },
    { name: name('delay p50'), ...delay(0.5), unit: 'ms', ...noTarget },
    { name: name('delay p95'), ...delay(0.95), unit: 'ms', ...noTarget },
    { name: name('delay p99'), ...delay(0.99), unit: 'ms', ...noTarget },
    { name: name('p99 turn of the service’s loop (median of 3)'), ...middle('usualStall'), unit: 'ms', ...noTarget },
    { name: name('longest stall of it (median of 3)'), ...middle('stall'), unit: 'ms', ...noTarget },
    { name: name('share of one core (median of 3)'), ...middle('cpu'), unit: '', ...noTarget },
  ]
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
