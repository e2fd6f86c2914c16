import { createServer } from 'node:net'
import type { ServiceOptions } from '../../src-service/service.ts'
import type { ConnectionInput } from '../../src-shared/model/connection.ts'
import type { Leftovers } from './fleet.ts'
import { forkService, type PlacedSet, type ServiceProcess } from './service-process.ts'

/** An operations room of forty connections, three of which cannot work. */
export interface Night {
  /** 38 tenants behind 37 credential sets; the last tenant is behind a secret that is entered wrongly. */
  main(): ServiceProcess
  /** One tenant, ten devices a page, a stream, no introspection. */
  minimal: ServiceProcess
  connections: ConnectionInput[]
  /** Names of those that cannot work: a wrong secret, a certificate that is not trusted, a host that is not there. */
  troubled: readonly string[]
  /** Names of the two that see one tenant both. */
  overlapping: readonly string[]
  /** Positions of tenants in the main service's world: the one that two connections see, and the one that none sees. */
  shared: number
  unseen: number
  /** Devices that the forty see together, each once. */
  devices: number
  /** Kills the main service and starts it again in its place. */
  killAndReturn(between: () => Promise<void>): Promise<void>
}

/** The balance; the specification's by default. */
type Limits = Pick<ServiceOptions, 'points' | 'windowMs'>

const regular = 34
const [aloneFirst, shared, aloneSecond, unseen] = [34, 35, 36, 37] as const

export async function startNight(
  leftovers: Leftovers,
  { devices, ...limits }: { devices: number } & Limits,
): Promise<Night> {
  const minimalDevices = 200
  const sets: PlacedSet[] = [
    ...Array.from({ length: regular }, (_, place) => ({
      name: `Customer ${String(place + 1).padStart(2, '0')}`,
      places: [place],
    })),
    { name: 'Overlap A', places: [aloneFirst, shared] },
    { name: 'Overlap B', places: [shared, aloneSecond] },
    { name: 'Wrong secret', places: [unseen] },
  ]
  const start = (options: Parameters<typeof forkService>[0]) =>
    started(leftovers, forkService({ ...limits, ...options }))
  let main = await start({ devices: devices - minimalDevices, tenants: 38, sets })
  leftovers.push(() => main.kill())
  const [minimal, untrusted, port] = await Promise.all([
    start({ devices: minimalDevices, tenants: 1, seed: 2, profile: 'minimal' }),
    start({ devices: 20, tenants: 1, seed: 3 }),
    closedPort(),
  ])
  const tenants = await main.ask('world', 'tenants')
  const hidden = await main.ask('world', 'devices', tenants[unseen]?.id ?? '')
  return {
    main: () => main,
    minimal,
    connections: [
      ...main.sets.map(({ name, clientId, clientSecret }) =>
        inputFor(name, main, { clientId, clientSecret: name === 'Wrong secret' ? 'not this one' : clientSecret }),
      ),
      inputFor('Untrusted', untrusted, { ca: '' }),
      inputFor('Dead host', main, {
        tokenUrl: `https://127.0.0.1:${port}/oauth/token`,
        graphqlUrl: `https://127.0.0.1:${port}/graphql`,
        subscriptionUrl: `wss://127.0.0.1:${port}/graphql`,
        clientId: 'nobody',
        clientSecret: 'nothing-to-steal-here',
      }),
      inputFor('Minimal', minimal, {}),
    ],
    troubled: ['Wrong secret', 'Untrusted', 'Dead host'],
    overlapping: ['Overlap A', 'Overlap B'],
    shared,
    unseen,
    devices: devices - hidden.length,
    async killAndReturn(between) {
      await main.kill()
      await between()
      main = await main.again()
    },
  }
}

async function started(leftovers: Leftovers, starting: Promise<ServiceProcess>): Promise<ServiceProcess> {
  const service = await starting
  leftovers.push(() => service.kill())
  return service
}

function inputFor(name: string, to: ServiceProcess, more: Partial<ConnectionInput>): ConnectionInput {
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca } = to
  return {
    id: null,
    name,
    tokenUrl,
    graphqlUrl,
    subscriptionUrl,
    clientId,
    clientSecret,
    ca,
    subscription: '',
    portal: '',
    ...more,
  }
}

/** A port at which nothing answers: it was free a moment ago. */
export function closedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
      })
  })
}

/** The connections as the CSV that `connections.import` reads. */
export function csvOf(connections: readonly ConnectionInput[]): string {
  const head = 'name,token_url,graphql_url,subscription_url,client_id,client_secret,ca,subscription,portal'
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  return [
    head,
    ...connections.map((each) =>
      [
        each.name,
        each.tokenUrl,
        each.graphqlUrl,
        each.subscriptionUrl,
        each.clientId,
        each.clientSecret,
        each.ca,
        each.subscription,
        each.portal,
      ]
        .map(quoted)
        .join(','),
    ),
  ].join('\n')
}
