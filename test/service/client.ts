import { Agent, request } from 'undici'
import { createClient } from 'graphql-ws'
import type { Client } from 'graphql-ws'
import { WebSocket } from 'ws'
import { onTestFinished } from 'vitest'
import { startService } from '../../src-service/service.ts'
import type { Service, ServiceOptions } from '../../src-service/service.ts'

/** A small world by default; stopped when the test is over. */
export async function open(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService({ devices: 120, tenants: 2, ...options })
  onTestFinished(() => service.stop())
  return service
}

export type Reply = {
  status: number
  headers: Record<string, string>
  text: string
  /** The body's JSON; undefined when it is none. */
  json: unknown
  /** The value in the JSON at this path, or undefined. */
  at(...path: readonly (string | number)[]): unknown
}

/** The value in a JSON value at this path, or undefined. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (place, key) => (typeof place === 'object' && place !== null ? Reflect.get(place, key) : undefined),
    value,
  )
}

/** The same as a list; anything else is an empty one. */
export function digAll(value: unknown, ...path: readonly (string | number)[]): unknown[] {
  const found = dig(value, ...path)
  return Array.isArray(found) ? found : []
}

export type Wire = { h2: boolean }
export type Pair = { clientId: string; clientSecret: string }

/** One plain client of the service: its own connections, trusting the service's certificate authority; of its first credential set if no other is named. */
export function plainClient(service: Service, { h2, set = service }: Wire & { set?: Pair } = { h2: true }) {
  const dispatcher = new Agent({ connect: { ca: service.ca }, allowH2: h2 })
  onTestFinished(() => dispatcher.destroy())
  const send = async (
    url: string,
    method: 'GET' | 'POST',
    headers: Record<string, string>,
    body: string | null,
  ): Promise<Reply> => {
    const answer = await request(url, { dispatcher, method, headers, body })
    const text = await answer.body.text()
    const flat = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
    const parsed = tryJson(text)
    return { status: answer.statusCode, headers: flat, text, json: parsed, at: (...path) => dig(parsed, ...path) }
  }
  const post = (url: string, body: string, headers: Record<string, string>) => send(url, 'POST', headers, body)
  const get = (url: string, headers: Record<string, string> = {}) => send(url, 'GET', headers, null)
  const right = { client_id: set.clientId, client_secret: set.clientSecret, grant_type: 'client_credentials' }
  const askToken = (change: Record<string, unknown> = {}) =>
    post(service.tokenUrl, JSON.stringify({ ...right, ...change }), { 'content-type': 'application/json' })
  const token = async (): Promise<string> => String((await askToken()).at('access_token'))
  const ask = (
    bearer: string | null,
    query: string,
    variables: unknown = {},
    more: { operationName?: string; headers?: Record<string, string> } = {},
  ): Promise<Reply> =>
    post(service.graphqlUrl, JSON.stringify({ query, variables, operationName: more.operationName }), {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...more.headers,
    })
  return { dispatcher, post, get, askToken, token, ask }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A WebSocket class that trusts the service and, if given, sends upgrade headers. */
export function socketClass(service: Service, headers: Record<string, string> = {}) {
  return class extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols, { ca: service.ca, headers })
    }
  }
}

/** A graphql-ws client that connects at once and never retries. */
export function streamClient(service: Service, token: string): Client {
  const client = createClient({
    url: service.subscriptionUrl,
    webSocketImpl: socketClass(service),
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  })
  onTestFinished(async () => client.dispose())
  return client
}

/** Waits until `test` holds; the test's own time limit ends the wait. */
export async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setImmediate(resolve))
}

/** The spec's eight fields of a device. */
export const eightFields =
  'id name hardwareModel connected lastDetected lastConfigRequestDate site { id name } room { id name }'

export const pageQuery = `query Page($id: ID!, $params: DeviceFindArgs) {
  tenant(id: $id) { inventory { deviceSearch(params: $params) { edges { node { id name } } pageInfo { totalCount countOnPage nextToken hasNextPage } } } }
}`
