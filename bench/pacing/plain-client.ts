import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Agent, fetch as fetchBy, type RequestInit } from 'undici'
import { devicesOperation, fingerprintOperation, tenantsOperation } from '../../src-main/api/operations.ts'
import { startRandom } from '../../src-service/world/random.ts'
import { wait, type Clock } from '../../src-shared/lib/clock.ts'
import { clockAt, lateFetch, watchedFetch, type Pace, type Rejected } from './accelerated.ts'
import type { Addresses, Pair } from './paced-service.ts'

/**
 * A typical client, in a process of its own at accelerated time. `reader`: reads everything, two requests at a time, in
 * pages whose size fits under the cost limit at usual costs; repeats a rejection for lack of points after
 * `retry-after`, and too expensive a page in half the size. `burner`: another program with the same credentials that
 * spends about 500 points each second regardless.
 */
export interface PlainClient {
  begin(): void
  /** Resolves with the results so far. */
  figures(): Promise<PlainFigures>
  stop(): Promise<void>
}

export interface PlainFigures {
  devices: number
  rejected: Rejected[]
  /** Ms of accelerated time from a person's action until its answered request was sent, or until now. */
  waits: number[]
}

export interface PlainOptions {
  kind: 'reader' | 'burner'
  at: Addresses
  set: Pair
  pace: Pace
  person: boolean
  late: boolean
}

/** Resolves when it is ready, with its token. */
export async function forkPlainClient(options: PlainOptions): Promise<PlainClient> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const gone = once(child, 'exit')
  const message = () =>
    Promise.race([once(child, 'message'), gone.then(() => Promise.reject(new Error('the plain client ended')))])
  await message()
  return {
    begin: () => void child.send('begin'),
    async figures() {
      child.send('figures')
      return ((await message()) as [PlainFigures])[0]
    },
    async stop() {
      child.kill()
      await gone
    },
  }
}

/** 400 devices cost 7,618 points by the formula, and at most a fifth more. */
const pageSize = 400
const parallel = 2
/** Two for the pages, and as many for a person. */
const connections = 4
const seed = 13

interface Asked {
  status: number
  cost: number
  retryAfter: number
  body: unknown
}

type Ask = (document: string, variables: Record<string, unknown>) => Promise<Asked>

interface Client extends PlainFigures {
  clock: Clock
  /** When each waiting person's request began. */
  waiting: Set<number>
  ask: Ask
}

async function open({ at, set, pace, late }: PlainOptions): Promise<Client> {
  const clock = clockAt(pace)
  const dispatcher = new Agent({ connect: { ca: at.ca }, connections })
  const plain = ((input: string, init?: RequestInit) =>
    fetchBy(input, { ...init, dispatcher })) as unknown as typeof globalThis.fetch
  const rejected: Rejected[] = []
  const watched = watchedFetch(plain, clock, (one) => void rejected.push(one))
  const fetch = late ? lateFetch(watched, clock, seed) : watched
  const post = async (url: string, body: unknown, headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const granted = (await (
    await post(
      at.tokenUrl,
      { client_id: set.clientId, client_secret: set.clientSecret, grant_type: 'client_credentials' },
      {},
    )
  ).json()) as { access_token: string }
  const ask: Ask = async (query, variables) => {
    const response = await post(
      at.graphqlUrl,
      { query, variables },
      { authorization: `Bearer ${granted.access_token}` },
    )
    const { status, headers } = response
    return {
      status,
      cost: Number(headers.get('graphql-ratelimit-querycost')),
      retryAfter: Number(headers.get('retry-after') ?? 1) * 1000,
      body: await response.json(),
    }
  }
  return { clock, ask, rejected, devices: 0, waits: [], waiting: new Set() }
}

/**
 * Repeats a request after `retry-after` while it is rejected for lack of points, and after a second where the network
 * failed.
 */
async function insist(
  { clock, ask }: Client,
  document: string,
  variables: Record<string, unknown>,
  onSend: () => void = () => {},
): Promise<Asked> {
  for (;;) {
    onSend()
    const asked = await ask(document, variables).catch(() => null)
    if (asked !== null && asked.status !== 429) return asked
    await wait(clock, asked?.retryAfter ?? 1_000)
  }
}

async function tenantsOf(client: Client): Promise<string[]> {
  const { body } = await insist(client, tenantsOperation.document, {})
  return (body as { data: { tenants: { id: string }[] } }).data.tenants.map(({ id }) => id)
}

interface Page {
  data: {
    tenant: {
      inventory: { deviceSearch: { edges: unknown[]; pageInfo: { nextToken: string | null; hasNextPage: boolean } } }
    }
  }
}

async function readAll(client: Client, person: boolean): Promise<void> {
  const tenants = await tenantsOf(client)
  if (person) startPerson(client, tenants[0] ?? '')
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let tenant = tenants.shift(); tenant !== undefined; tenant = tenants.shift())
        await readTenant(client, tenant)
    }),
  )
}

async function readTenant(client: Client, tenant: string): Promise<void> {
  let size = pageSize
  for (let nextToken: string | null = null, more = true; more;) {
    const { cost, body } = await insist(client, devicesOperation.document, {
      tenant,
      params: { nextToken, pageSize: size },
    })
    if (cost > 10_000) {
      size = Math.max(1, Math.floor(size / 2))
      continue
    }
    const { edges, pageInfo } = (body as Page).data.tenant.inventory.deviceSearch
    client.devices += edges.length
    nextToken = pageInfo.nextToken
    more = pageInfo.hasNextPage
  }
}

function startPerson(client: Client, tenant: string): void {
  const { clock } = client
  const random = startRandom(seed + 1)
  const again = () => {
    clock.after(500, again)
    const began = clock.monotonic()
    let sentAt = began
    client.waiting.add(began)
    void insist(client, fingerprintOperation.document, { tenant, params: { pageSize: random.int(2, 12) } }, () => {
      sentAt = clock.monotonic()
    }).then(() => {
      client.waiting.delete(began)
      client.waits.push(sentAt - began)
    })
  }
  again()
}

/** 30 per cent of the balance: 25 devices cost 493 points by the formula. */
const burnt = { devices: 25, everyMs: 1_000 }

async function burn(client: Client): Promise<void> {
  const [tenant] = await tenantsOf(client)
  const again = () => {
    client.clock.after(burnt.everyMs, again)
    client.ask(devicesOperation.document, { tenant, params: { pageSize: burnt.devices } }).catch(() => {})
  }
  again()
}

function figuresOf({ clock, devices, rejected, waits, waiting }: Client): PlainFigures {
  const now = clock.monotonic()
  return { devices, rejected, waits: [...waits, ...[...waiting].map((began) => now - began)] }
}

async function serve(options: PlainOptions): Promise<void> {
  process.on('disconnect', () => process.exit(0))
  const client = await open(options)
  process.on('message', (word) => {
    if (word === 'begin') void (options.kind === 'burner' ? burn(client) : readAll(client, options.person))
    else process.send?.(figuresOf(client))
  })
  process.send?.('ready')
}

if (process.argv[2] === '--child') await serve(JSON.parse(process.argv[3] ?? '{}') as PlainOptions)
