import { makeCertificates } from './net/certificates.ts'
import type { Certificates } from './net/certificates.ts'
import { startClock } from './faults/clock.ts'
import { chooseProfile } from './faults/contrary/profile.ts'
import type { ChosenProfile } from './faults/contrary/profile.ts'
import type { ContraryVerbs } from './faults/contrary/contrary.ts'
import { rejectUpgrade, startSocketEnds } from './faults/contrary/transport/sockets.ts'
import type { Clock } from './faults/clock.ts'
import type { Credentials } from './access/credentials.ts'
import { openCertificates, openKeys } from './storage/stored-keys.ts'
import type { Rejections } from './graphql/points/ledger.ts'
import { makePorts } from './net/ports.ts'
import { misfortuneVerbs } from './faults/misfortune/misfortune-verbs.ts'
import type { Misfortune } from './faults/misfortune/misfortune-verbs.ts'
import type { LoggedOperation } from './graphql/operation-log.ts'
import { startSockets } from './stream/sockets.ts'
import { openState } from './storage/state.ts'
import type { State } from './storage/state.ts'
import { pathOf } from './net/wire.ts'
import { createLife, startLife } from './world/life/life.ts'
import { startTick } from './world/life/tick.ts'
import { createRoomLife } from './world/life/room-life.ts'
import { createScenario } from './world/life/scenarios.ts'
import type { Scenario, ScenarioName } from './world/life/scenarios.ts'
import type { RebootOutcome } from './world/life/reboot-outcomes.ts'
import type { World } from './world/world.ts'
import { answerRequest } from './net/router.ts'
import { checkOptions } from './options.ts'
import type { ServiceOptions } from './options.ts'
import { openParts } from './parts.ts'

export type { ServiceOptions } from './options.ts'

export type Service = {
  tokenUrl: string
  graphqlUrl: string
  subscriptionUrl: string
  /** The first credential set; empty where the sets are those of a data folder. */
  clientId: string
  clientSecret: string
  credentials: Credentials
  /** The certificate authority to trust, PEM. */
  ca: string
  certificates: Certificates
  world: Omit<World, 'close'>
  misfortune: Misfortune
  /** The answers to what the specification leaves open. */
  contrary: ContraryVerbs
  /** The name and announcement of the running scenario; null where there is none. */
  scenario: { name: ScenarioName; announced: string } | null
  /** Returns the number of requests to /graphql since the start. */
  requests(): number
  tokensIssued(): number
  /** Signs tokens with a new key. Their public keys are at `/.well-known/jwks.json`. */
  rotateKeys(): Promise<void>
  /** Returns the last answered operations, oldest first. */
  operations(): LoggedOperation[]
  /**
   * Returns the operations rejected for their cost or an empty balance, of one credential set or of all. Misfortunes do
   * not count.
   */
  rejections(clientId?: string): Rejections
  /** Ends all reboots that are due by the service's clock; for tests that set it. */
  endReboots(): void
  /** Sets the outcome of a device's reboots; null: that of the option `reboots`. */
  setRebootOutcome(deviceId: string, outcome: RebootOutcome | null): void
  openSockets(): number
  /** Returns every device id of a subscription, sorted. */
  subscribedIds(): string[]
  /** Returns every room id of a subscription, sorted. */
  subscribedRooms(): string[]
  /** Returns the largest number of unsent bytes of a socket; above 8 MiB a socket is closed. */
  unsentBytes(): number
  stop(): Promise<void>
}

/** Interval at which a service with a data folder checks for changes by commands, ms; each request checks too. */
const WATCH = 200

/** Starts the reference service on one port; resolves when it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  checkOptions(options)
  const { seed, tenants, devices, emptyPlaces = false, data = null } = options
  const trueTime = options.now ?? Date.now
  const chosen = chooseProfile(options, trueTime)
  const clock = startClock(() => trueTime() + chosen.contrary.is.clockSkewMs)
  const size = {
    ...(seed === undefined ? {} : { seed }),
    ...(tenants === undefined ? {} : { tenants }),
    ...(devices === undefined ? {} : { devices }),
    emptyPlaces,
  }
  const state = openState(data, { ...size, now: clock.now }, options.reboots)
  const started = [state.close]
  try {
    return await serve(options, chosen, state, clock, started)
  } catch (error) {
    await stopAll(started)
    throw error
  }
}

/** Functions called at the end, or when a later part cannot start: the last first. */
type Started = (() => void | Promise<void>)[]

async function stopAll(started: Started): Promise<void> {
  for (const stop of started.splice(0).toReversed()) await stop()
}

async function serve(
  options: ServiceOptions,
  chosen: ChosenProfile,
  state: State,
  clock: Clock,
  started: Started,
): Promise<Service> {
  const { now } = clock
  const { access, folder } = state
  const kept = folder === null ? null : openKeys(folder)
  const certificates = options.certificates ?? (await (folder === null ? makeCertificates() : openCertificates(folder)))
  const parts = await openParts({
    options,
    chosen,
    state,
    clock,
    kept,
    dropSet: (clientId) => sockets.dropSet(clientId),
  })
  const { world, contrary, credentials, pair, planes, context, endpoint, tokens } = parts
  const { session: loginSession } = endpoint.playground
  const sockets = startSockets({ schema: chosen.schema, tokens, context, now, loginSession })
  const { host = '127.0.0.1', port = 0 } = options
  const onUpgrade: Parameters<typeof makePorts>[0]['onUpgrade'] = (request, socket, head) => {
    if (pathOf(request) !== '/graphql') socket.destroy()
    else if (!rejectUpgrade(contrary, socket)) sockets.upgrade(request, socket, head)
  }
  const listener = makePorts(
    {
      host,
      port,
      certificates,
      onRequest: (request, response) => answerRequest(endpoint, now, request, response),
      onUpgrade,
    },
    contrary.is.http,
  )
  // The sockets stop first: a service that stops does not complete its streams.
  started.push(listener.stop, planes.stop, context.hub.stop, sockets.stop, startSocketEnds(contrary, now, sockets.drop))
  const misfortune = misfortuneVerbs({
    misfortunes: endpoint.misfortunes,
    planes,
    clock,
    credentials,
    sockets,
    listener,
  })
  const scenario =
    options.scenario === undefined
      ? null
      : createScenario(options.scenario, { world, seed: world.size.seed, startsAt: now(), region: misfortune.region })
  const ports = await listener.open()
  if (access) started.push(startTick('The credential sets cannot be read', WATCH, credentials.refresh))
  startLives(started, world, options.life === true, now(), scenario)
  return {
    ...addresses(host, ports),
    ...pair,
    credentials,
    ca: certificates.ca,
    certificates,
    world,
    misfortune,
    contrary: { answers: contrary.answers, change: contrary.change },
    scenario: scenario && { name: scenario.name, announced: scenario.announced },
    ...counters(parts, sockets),
    endReboots: state.reboots.turn,
    setRebootOutcome: state.reboots.outcomes.mark,
    stop: once(() => stopAll(started)),
  }
}

function counters(
  { endpoint, tokens, ledger, context }: Awaited<ReturnType<typeof openParts>>,
  sockets: ReturnType<typeof startSockets>,
) {
  return {
    requests: endpoint.log.requests,
    tokensIssued: tokens.issued,
    rotateKeys: tokens.rotate,
    operations: endpoint.log.operations,
    rejections: ledger.rejections,
    openSockets: sockets.open,
    subscribedIds: context.hub.watched,
    subscribedRooms: context.hub.watchedRooms,
    unsentBytes: sockets.unsent,
  }
}

function startLives(started: Started, world: World, isAlive: boolean, at: number, scenario: Scenario | null): void {
  const { seed } = world.size
  if (isAlive)
    started.push(
      startLife('Devices do not come and go', createLife(world, seed)),
      startLife('Nobody comes into the rooms', createRoomLife(world, seed, at)),
    )
  if (scenario) started.push(startLife(`The scenario ${scenario.name} stands still`, scenario))
}

/** Returns a function that runs `work` once, however often it is called; all callers wait for its end. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

function addresses(
  host: string,
  { port, socketPort }: { port: number; socketPort: number },
): Pick<Service, 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl'> {
  const name = host.includes(':') ? `[${host}]` : host
  return {
    tokenUrl: `https://${name}:${port}/oauth/token`,
    graphqlUrl: `https://${name}:${port}/graphql`,
    subscriptionUrl: `wss://${name}:${socketPort}/graphql`,
  }
}
