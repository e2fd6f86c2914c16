import { createClient, type Client } from 'graphql-ws'
import { Agent, request } from 'undici'
import { WebSocket } from 'ws'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { forkVerbs, moment, serveVerbs, type Forked } from '../../support/verbs.ts'
import type { ServiceFacts } from './service-process.ts'

/** A simple client: graphql-ws, and a callback for each event with a status. */
export type NaiveClient = Forked<ReturnType<typeof openVerbs>>
export const forkNaiveClient = (): NaiveClient => forkVerbs(import.meta.url)

export interface NaiveToast {
  id: string
  connected: boolean
  at: number
}

/** Ids in one subscription, as in Muster's shards, so that the service has the same work with both. */
const shardSize = 500
const query =
  'subscription ($deviceIds: [String!]!) { deviceStream(deviceIds: $deviceIds) { id tenantId name connected } }'

function openVerbs() {
  const toasts: NaiveToast[] = []
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const count = (data: unknown) => {
    const {
      deviceStream: { id, connected },
    } = data as { deviceStream: { id: string; connected: boolean } }
    toasts.push({ id, connected, at: moment() })
  }
  return {
    /** Resolves when the service has all subscriptions: after the Pong that follows them. */
    async open({ addresses, devices }: ServiceFacts): Promise<void> {
      const { client, ponged } = await connect(addresses)
      const ids = devices.map(({ id }) => id)
      for (let from = 0; from < ids.length; from += shardSize) {
        client.subscribe(
          { query, variables: { deviceIds: ids.slice(from, from + shardSize) } },
          {
            next: ({ data }) => count(data),
            error: (thrown) => {
              throw new Error(JSON.stringify(thrown))
            },
            complete: () => {},
          },
        )
      }
      await ponged
    },
    take: (): NaiveToast[] => toasts.splice(0),
    watchLoop() {
      delay.reset()
      delay.enable()
    },
    stall: (): number => delay.max / 1e6,
  }
}

async function connect({
  tokenUrl,
  subscriptionUrl,
  clientId,
  clientSecret,
  ca,
}: ServiceFacts['addresses']): Promise<{ client: Client; ponged: Promise<void> }> {
  const dispatcher = new Agent({ connect: { ca } })
  const answer = await request(tokenUrl, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }),
  })
  const { access_token: token } = (await answer.body.json()) as { access_token: string }
  await dispatcher.close()
  const trusting = new Proxy(WebSocket, {
    construct: (target, [address, protocols]: [string, string[]]) =>
      new target(address, protocols, { ca, perMessageDeflate: false }),
  })
  return new Promise((resolve) => {
    const ponged = Promise.withResolvers<void>()
    const client = createClient({
      url: subscriptionUrl,
      webSocketImpl: trusting,
      connectionParams: { authorization: `Bearer ${token}` },
      lazy: false,
      keepAlive: 1_000,
      on: {
        connected: () => resolve({ client, ponged: ponged.promise }),
        pong: (received) => {
          if (received) ponged.resolve()
        },
      },
    })
  })
}

serveVerbs(openVerbs())
