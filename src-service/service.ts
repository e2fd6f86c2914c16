import { openBodies, UnfinishedBodyError } from './net/bodies.ts'
import type { BodyBounds } from './net/bodies.ts'
import { makeCertificates } from './net/certificates.ts'
import type { Certificates } from './net/certificates.ts'
import { startClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { onePerTenant, openCredentials } from './access/credentials.ts'
import type { Credentials, NewCredentialSet } from './access/credentials.ts'
import { keptCertificates, keptKeys } from './folder/kept-keys.ts'
import { makeGraph } from './graphql/graph.ts'
import type { WhenEmpty } from './graphql/graph.ts'
import { answerGraphRequest, replacement } from './graphql/graphql-endpoint.ts'
import type { GraphEndpoint } from './graphql/graphql-endpoint.ts'
import { startLedger } from './points/ledger.ts'
import type { Refusals } from './points/ledger.ts'
import { makeListener } from './net/listener.ts'
import { startMisfortunes } from './misfortune/misfortune.ts'
import { misfortuneVerbs } from './misfortune/misfortune-verbs.ts'
import type { Misfortune } from './misfortune/misfortune-verbs.ts'
import { startOperationLog } from './graphql/operation-log.ts'
import type { LoggedOperation } from './graphql/operation-log.ts'
import { startPageTokens } from './graphql/page-token.ts'
import { pricedLedger } from './points/priced-ledger.ts'
import type { Pricing } from './points/priced-ledger.ts'
import { startPlayground } from './playground/playground.ts'
import { keptUsers, memoryUsers } from './playground/users.ts'
import type { PlaygroundUser } from './playground/users.ts'
import { openPlanes } from './misfortune/regions.ts'
import { makeSchema } from './graphql/schema.ts'
import type { Profile } from './graphql/schema.ts'
import { startSockets } from './stream/sockets.ts'
import { startHub } from './stream/streams.ts'
import { spoil } from './misfortune/spoil.ts'
import { openState } from './state.ts'
import type { State } from './state.ts'
import { answerTokenRequest } from './access/token-endpoint.ts'
import { startTokens } from './access/tokens.ts'
import type { Tokens } from './access/tokens.ts'
import { cut, header, json, pathOf, send, sendHalf, sendLast, waited } from './net/wire.ts'
import type { Request, Response } from './net/wire.ts'
import { createLife, startLife } from './world/life.ts'
import { startTick } from './world/tick.ts'
import { createRoomLife } from './world/room-life.ts'
import { createScenario } from './world/scenarios.ts'
import type { ScenarioName } from './world/scenarios.ts'
import type { World } from './world/world.ts'

export type ServiceOptions = Pricing & {
  /** 0 (the default): any free port. */
  port?: number
  host?: string
  /** Default: 5000 in 6 tenants, of seed 1, or what a data folder holds. */
  devices?: number
  tenants?: number
  /** The same seed gives the same world. */
  seed?: number
  /** `minimal`: what the specification shows and nothing else. Default: full. */
  profile?: Profile
  tokenLifetimeSeconds?: number
  /** Points of one window, for each credential set. */
  balance?: number
  /** The highest cost of one operation. */
  costLimit?: number
  windowMs?: number
  /** How an operation is refused for which the balance does not suffice. Default: 429. */
  exhausted?: WhenEmpty
  /** False: points are counted but no limit is enforced. */
  points?: boolean
  /** True: devices drop and come back by themselves, and people come and go in the rooms. Default: false. */
  life?: boolean
  /** What happens to the fleet (README.md), by the wall clock, from the start on; beside life where that is asked for too. */
  scenario?: ScenarioName
  /** Default: made at the start, or those of a data folder. Give the same ones to a service that takes another one's place. */
  certificates?: Certificates
  clientId?: string
  clientSecret?: string
  /**
   * The credential sets, at least one, that look at the world that was made; `per-tenant`: one for each tenant. Default:
   * a single one for all tenants, of `clientId` and `clientSecret`.
   */
  credentials?: 'per-tenant' | ((world: Pick<World, 'tenants' | 'accounts' | 'sites'>) => NewCredentialSet[])
  /**
   * A folder in which the world, users, credential sets, keys and certificates are kept, made when it is not there (README.md). The sets are
   * managed by command; none of the three options above goes with it.
   */
  data?: string
  /** Who may log in to the playground; with `data` they are those of the folder. Default: nobody. */
  users?: readonly PlaygroundUser[]
  /** Default: 30 s for one body, 64 MiB for all that are on their way. */
  bodies?: BodyBounds
  /** Milliseconds since 1970; for tests that turn the clock of tokens, windows and the world. */
  now?: () => number
}

export type Service = {
  tokenUrl: string
  graphqlUrl: string
  subscriptionUrl: string
  /** Of the first credential set; empty where the sets are those of a data folder. */
  clientId: string
  clientSecret: string
  credentials: Credentials
  /** The certificate authority to trust, PEM. */
  ca: string
  certificates: Certificates
  world: Omit<World, 'close'>
  misfortune: Misfortune
  /** What was announced of the scenario that runs; null where none does. */
  scenario: { name: ScenarioName; announced: string } | null
  /** Requests to /graphql since the start. */
  requests(): number
  tokensIssued(): number
  /** The public keys of the tokens are at `/.well-known/jwks.json`; another key signs from now on. */
  rotateKeys(): Promise<void>
  /** The last answered operations, oldest first. */
  operations(): LoggedOperation[]
  /** Operations that were refused for their cost or an empty balance, of one credential set or of all. Misfortunes do not count. */
  refusals(clientId?: string): Refusals
  /** Ends at once the reboots that are over by the service's clock; for tests that turn it. */
  endReboots(): void
  openSockets(): number
  /** Every device id that some subscription names, sorted. */
  subscribedIds(): string[]
  /** The same of rooms. */
  subscribedRooms(): string[]
  /** Bytes that wait to be sent to subscribers, of the socket for which they are most; above 8 MiB a socket is cut. */
  unsentBytes(): number
  stop(): Promise<void>
}

/** How often a service with a data folder looks whether a command has changed something, ms; each request looks as well. */
const WATCH = 200

const JWKS_PATH = '/.well-known/jwks.json'

/** Starts the reference service on one port; it is ready when the promise is kept. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  checkOptions(options)
  const { seed, tenants, devices, data = null } = options
  const clock = startClock(options.now ?? Date.now)
  const size = { ...(seed === undefined ? {} : { seed }), ...(tenants === undefined ? {} : { tenants }), ...(devices === undefined ? {} : { devices }) }
  const state = openState(data, { ...size, now: clock.now })
  const started = [state.close]
  try {
    return await serve(options, state, clock, started)
  } catch (error) {
    await stopAll(started)
    throw error
  }
}

/** What is stopped in the end, or when something after it cannot be started: the last first. */
type Started = (() => void | Promise<void>)[]

async function stopAll(started: Started): Promise<void> {
  for (const stop of started.splice(0).toReversed()) await stop()
}

async function serve(options: ServiceOptions, state: State, clock: Clock, started: Started): Promise<Service> {
  const { now } = clock
  const { host = '127.0.0.1', balance = 100_000, costLimit = 10_000, windowMs = 60_000 } = options
  const { world, access, folder, reboots } = state
  const kept = folder === null ? null : keptKeys(folder)
  const certificates = options.certificates ?? (await (folder === null ? makeCertificates() : keptCertificates(folder)))
  const credentials = openCredentials(firstSets(options, world), (clientId) => sockets.dropSet(clientId), access)
  const pair = pairOf(options, credentials)
  const tokens = await startTokens({ credentials, lifetimeSeconds: options.tokenLifetimeSeconds ?? 86_400, now, shelf: kept?.shelf })
  const ledger = pricedLedger(startLedger({ balance, costLimit, windowMs, enforced: options.points ?? true, now }), options)
  const schema = makeSchema(options.profile ?? 'full')
  const planes = openPlanes(world)
  const bodies = openBodies(options.bodies)
  const context = { world, planes, ledger, reboots, pageTokens: startPageTokens(kept?.pageKey), hub: startHub(world) }
  const playground = startPlayground({ users: access ? keptUsers(access) : memoryUsers(options.users ?? []), credentials, ledger, bodies, now })
  const endpoint = { graph: makeGraph(schema, options.profile ?? 'full', ledger, options.exhausted ?? 429), context, tokens, misfortunes: startMisfortunes(), log: startOperationLog(), playground, bodies }
  const sockets = startSockets({ schema, tokens, context, now, visitor: playground.session })
  const listener = makeListener({
    host,
    port: options.port ?? 0,
    certificates,
    onRequest(request, response) {
      response.setHeader('date', new Date(now()).toUTCString())
      answer(endpoint, request, response).catch((error: unknown) => fail(request, response, error))
    },
    onUpgrade: (request, socket, head) => (pathOf(request) === '/graphql' ? sockets.upgrade(request, socket, head) : void socket.destroy()),
  })
  // The sockets before all of that: a service that goes away does not say that its streams are complete.
  started.push(listener.stop, planes.stop, context.hub.stop, sockets.stop)
  const misfortune = misfortuneVerbs({ misfortunes: endpoint.misfortunes, planes, clock, credentials, sockets, listener })
  const scenario = options.scenario === undefined ? null : createScenario(options.scenario, { world, seed: world.size.seed, startsAt: now(), region: misfortune.region })
  const port = await listener.open()
  if (access) started.push(startTick('The credential sets cannot be read', WATCH, credentials.refresh))
  if (options.life) started.push(startLife('Devices do not come and go', createLife(world, world.size.seed)), startLife('Nobody comes into the rooms', createRoomLife(world, world.size.seed, now())))
  if (scenario) started.push(startLife(`The scenario ${scenario.name} stands still`, scenario))
  return {
    ...addresses(host, port),
    ...pair,
    credentials,
    ca: certificates.ca,
    certificates,
    world,
    misfortune,
    scenario: scenario && { name: scenario.name, announced: scenario.announced },
    requests: endpoint.log.requests,
    tokensIssued: tokens.issued,
    rotateKeys: tokens.rotate,
    operations: endpoint.log.operations,
    refusals: ledger.refusals,
    endReboots: reboots.turn,
    openSockets: sockets.open,
    subscribedIds: context.hub.watched,
    subscribedRooms: context.hub.watchedRooms,
    unsentBytes: sockets.unsent,
    stop: once(() => stopAll(started)),
  }
}

function checkOptions({ credentials, clientId, clientSecret, users, data }: ServiceOptions): void {
  if (data !== undefined && users !== undefined) throw new RangeError('The users of a data folder are those that stand in it')
  if (data !== undefined && (credentials ?? clientId ?? clientSecret) !== undefined) throw new RangeError('The credential sets of a data folder are those that stand in it')
}

function firstSets({ credentials, clientId, clientSecret, data }: ServiceOptions, world: World): NewCredentialSet[] {
  if (data !== undefined) return []
  if (credentials === undefined) return [{ clientId, clientSecret }]
  return credentials === 'per-tenant' ? onePerTenant(world) : credentials(world)
}

function pairOf({ data }: ServiceOptions, credentials: Credentials): Pick<Service, 'clientId' | 'clientSecret'> {
  if (data !== undefined) return { clientId: '', clientSecret: '' }
  const [first] = credentials.list()
  if (!first) throw new RangeError('A service needs a credential set')
  return { clientId: first.clientId, clientSecret: first.clientSecret }
}

/** However often it is called, the work is done once, and everybody waits for its end. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

function addresses(host: string, port: number): Pick<Service, 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl'> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return { tokenUrl: `https://${authority}/oauth/token`, graphqlUrl: `https://${authority}/graphql`, subscriptionUrl: `wss://${authority}/graphql` }
}

async function answer(endpoint: GraphEndpoint, request: Request, response: Response): Promise<void> {
  const path = pathOf(request)
  if (endpoint.playground.takes(request)) return send(response, await endpoint.playground.answer(request))
  if (path === '/graphql') return answerGraphRequest(endpoint, request, response)
  if (path === '/oauth/token') return answerToken(endpoint, endpoint.tokens, request, response)
  if (path === JWKS_PATH && (request.method === 'GET' || request.method === 'HEAD')) return send(response, json(200, endpoint.tokens.jwks(), { 'cache-control': 'max-age=60' }))
  request.resume()
  send(response, json(404, { error: 'not_found', error_description: `Nothing is served at ${path}` }))
}

async function answerToken({ misfortunes, bodies }: GraphEndpoint, tokens: Tokens, request: Request, response: Response): Promise<void> {
  const operation = { operationName: null, query: '', variables: {} }
  const { ms, kind: misfortune } = misfortunes.take('token', [operation])
  const body = await bodies.read(request)
  if (!(await waited(response, ms)) || misfortune === 'stall') return
  if (misfortune === 'reset') return cut(request)
  const instead = misfortune && replacement(misfortune, 60)
  const right = instead ?? (await answerTokenRequest(tokens, { method: request.method ?? '', contentType: header(request, 'content-type') ?? '', body }))
  if (misfortune === 'cut-short') sendHalf(request, response, right)
  else send(response, misfortune ? { ...right, body: spoil(misfortune, right.body, operation) } : right)
}

/** A request that breaks off or does not end is the client's affair; whatever else is a mistake of the service, and the client sees the line cut. */
function fail(request: Request, response: Response, error: unknown): void {
  if (error instanceof UnfinishedBodyError) return refuseUnfinished(request, response, error)
  if (!request.destroyed) console.error('A request could not be answered:', error)
  cut(request)
}

function refuseUnfinished(request: Request, response: Response, { status }: UnfinishedBodyError): void {
  if (status === null) return
  const message = status === 408 ? 'The body took too long' : 'Too many bodies are on their way'
  sendLast(request, response, json(status, { errors: [{ message }] }, status === 503 ? { 'retry-after': '1' } : {}))
}
