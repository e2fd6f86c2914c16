import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { legs, type Leg, type LegResult } from '../../../src-shared/model/connection.ts'
import { unlessAborted } from '../../../src-shared/lib/unless-aborted.ts'
import { askedWords } from '../../../src-shared/lib/retry-after.ts'
import { accessText } from '../../../src-shared/text/access.ts'
import { accessOperation, askAccess } from '../../api/access.ts'
import { askCapabilities } from '../../api/capabilities.ts'
import { createApi, type Api } from '../../api/client.ts'
import { readTenants } from '../../api/decode.ts'
import { tenantsOperation, defaultSubscription } from '../../api/operations.ts'
import { fixedDocument } from '../../live/subscriptions/stream-document.ts'
import type { Pacer } from '../../pacing/pacer.ts'
import type { Turns } from '../../api/event-loop-turns.ts'
import { requestToken } from '../../auth/token.ts'
import { createRedactor, type Redactor } from '../../auth/redactor.ts'
import { openTransport } from '../../live/transport/transport.ts'
import type { Link, Ports } from '../../ports.ts'
import { suggestUrl } from './suggest-url.ts'
import { checkReachability, type Reachability } from './reachability.ts'
import type { ConnectionRecord } from '../stored/record.ts'

/** Longest duration of a test, ms: the contract promises an answer within a minute. */
const timeoutMs = 55_000
const queryTimeoutMs = 20_000
/** Longest duration of reading the role, ms: the test passes without it. */
const roleTimeoutMs = 5_000

export interface TrialOptions {
  record: ConnectionRecord
  secret: () => Promise<string | null>
  ports: Pick<Ports, 'network' | 'clock'>
  pacer: Pacer
  turns: Turns
  /** Cancels the whole test; its reason is a `FaultError`. */
  signal: AbortSignal
}

interface Trial extends Omit<TrialOptions, 'ports'> {
  clock: Clock
  network: Pick<Ports['network'], 'proxyOf'>
  link: Link
  /** The reason why the CA is unusable; null when it is usable. */
  ca: Fault | null
  redactor: Redactor
}

/** Tests each leg of a connection on its own, over a network of its own, and leaves nothing open. Never rejects. */
export async function tryLegs({ ports, ...options }: TrialOptions): Promise<LegResult[]> {
  const { clock, network } = ports
  const timeout = new AbortController()
  const cancel = clock.after(timeoutMs, () => timeout.abort(new FaultError('timeout', 'the whole test took too long')))
  const { link, ca } = openLink(network, options.record.ca)
  const trial = {
    ...options,
    clock,
    network,
    link,
    ca,
    redactor: createRedactor(),
    signal: AbortSignal.any([timeout.signal, options.signal]),
  }
  try {
    return await runInOrder(trial, testsOf(trial))
  } finally {
    cancel()
    timeout.abort(new FaultError('abort'))
    await link.close().catch(() => {})
  }
}

/** Opens the network. Without a usable CA the host names can still be tested; the certificate's leg reports the CA. */
function openLink(network: Ports['network'], ca: string): Pick<Trial, 'link' | 'ca'> {
  try {
    return { link: network.open(ca), ca: null }
  } catch (error) {
    return { link: network.open(''), ca: toFault(error) }
  }
}

/** Returns the test of each leg, which resolves with a detail to show. Later ones use the results of earlier ones. */
function testsOf(trial: Trial): Record<Leg, () => Promise<string>> {
  let reached: Reachability[] = []
  let token = ''
  return {
    async name() {
      reached = await checkReachability(trial.link, trial.clock, trial.record, trial.signal)
      const found = hostsOf(reached, (kind) => kind === 'name')
      const left = await resolvedByProxy(trial.network, reached)
      return left.length === 0
        ? found
        : [
            ...reached.filter(({ host }) => !left.includes(host)).map(({ host }) => host),
            `${left.join(', ')}: left to the proxy`,
          ].join('; ')
    },
    async tls() {
      if (trial.ca !== null) throw new FaultError(trial.ca.kind, trial.ca.detail)
      return hostsOf(reached, () => true)
    },
    async token() {
      const granted = await describeAt('token URL', suggestUrl(trial.record.tokenUrl, '/oauth/token'), () =>
        askToken(trial),
      )
      token = granted.token
      return `good for ${lifetimeText(granted.lifeMs)}`
    },
    query: () =>
      describeAt('GraphQL URL', suggestUrl(trial.record.graphqlUrl, '/graphql'), () => askTenants(trial, token)),
    socket: () =>
      describeAt('subscription URL', suggestUrl(trial.record.subscriptionUrl, '/graphql'), () =>
        openSocket(trial, token),
      ),
  }
}

async function runInOrder({ clock, signal }: Trial, tries: Record<Leg, () => Promise<string>>): Promise<LegResult[]> {
  const results: LegResult[] = []
  for (const leg of legs) {
    const began = clock.monotonic()
    const elapsed = () => Math.round(clock.monotonic() - began)
    if (results.some(({ outcome }) => outcome !== 'ok'))
      results.push({ leg, outcome: 'skipped', fault: null, detail: '', ms: 0 })
    else {
      // Not awaited: a keychain that asks the user ignores the signal.
      const ended = await unlessAborted(signal, signal.aborted ? Promise.reject(signal.reason) : tries[leg]()).then(
        (detail) => ({ detail }),
        (error: unknown) => ({ fault: toFault(error) }),
      )
      if ('fault' in ended) results.push({ leg, outcome: 'failed', fault: ended.fault, detail: '', ms: elapsed() })
      else results.push({ leg, outcome: 'ok', fault: null, detail: ended.detail, ms: elapsed() })
    }
  }
  return results
}

function hostsOf(reached: readonly Reachability[], counts: (kind: Fault['kind']) => boolean): string {
  for (const { where, fault } of reached) {
    if (fault !== null && counts(fault.kind)) throw new FaultError(fault.kind, `${where}: ${fault.detail}`)
  }
  return reached.map(({ host }) => host).join(', ')
}

/** Returns the hosts behind a proxy, which looks their names up itself. */
async function resolvedByProxy(network: Trial['network'], reached: readonly Reachability[]): Promise<string[]> {
  const by = await Promise.all(
    reached.map(({ host }) =>
      network.proxyOf(`https://${host}/`).then(
        (proxy) => (proxy === null ? [] : [host]),
        () => [],
      ),
    ),
  )
  return by.flat()
}

const wrongAddress: ReadonlySet<string> = new Set([
  'not-found',
  'not-json',
  'not-graphql',
  'query',
  'http',
  'reset',
  'credentials',
])

/** Adds the address to a fault, and a suggestion where its path looks wrong. */
async function describeAt<T>(where: string, instead: string | null, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const { kind, detail } = toFault(error)
    const rest = detail.replace(/^token endpoint(, )?/, '')
    const hint = instead !== null && wrongAddress.has(kind) ? `. Did you mean ${instead}?` : ''
    throw new FaultError(kind, `${where}${rest === '' ? '' : `: ${rest}`}${hint}`, { cause: error })
  }
}

function askToken({ link, clock, record, secret, redactor, signal }: Trial): ReturnType<typeof requestToken> {
  return requestToken(
    { fetch: link.fetch, clock, tokenUrl: record.tokenUrl, clientId: record.clientId, secret, redactor },
    signal,
  )
}

function lifetimeText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  return minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${minutes} minute${minutes === 1 ? '' : 's'}`
}

/** Sends the cheapest query of a sync (service-spec.md, section 4). It may wait for points, within its time limit. */
async function askTenants(trial: Trial, token: string): Promise<string> {
  const { link, clock, record, pacer, turns, redactor } = trial
  const tokens = {
    get: async () => token,
    renew: async () => token,
    drop: () => {},
    prove: () => {},
    problem: () => null,
    renewsAt: () => Infinity,
    redact: redactor.safeText,
    stop: () => {},
  }
  const api = createApi({ fetch: link.fetch, clock, graphqlUrl: record.graphqlUrl, tokens, pacer, turns })
  const timeout = new AbortController()
  const cancel = clock.after(queryTimeoutMs, () => {
    const asked = pacer.waitsForService()
    if (asked !== null)
      return timeout.abort(new FaultError('unavailable', askedWords(Math.ceil((asked - clock.now()) / 1000))))
    const holds = pacer.holdsUntil() !== null
    timeout.abort(
      holds ? new FaultError('exhausted', 'try again when the balance has reset') : new FaultError('timeout'),
    )
  })
  try {
    const signal = AbortSignal.any([timeout.signal, trial.signal])
    const {
      data,
      errors,
      isCut = false,
    } = await api.run({ operation: tenantsOperation, variables: {}, lane: 'person', size: 1, signal })
    const count = countOf(readTenants(data).tenants.length, isCut || errors.length > 0)
    // The role is told beside the result; a service that does not tell it has passed the test.
    const role = await askRole(trial, api, signal).catch(() => '')
    return role === '' ? count : `${count}; role: ${role}`
  } finally {
    cancel()
  }
}

/** Returns role and scope of the credential set as text; '' where the service does not tell them. */
async function askRole({ clock, record }: Trial, api: Api, query: AbortSignal): Promise<string> {
  const timeout = new AbortController()
  const cancel = clock.after(roleTimeoutMs, () => timeout.abort(new FaultError('timeout')))
  const as = { lane: 'person', signal: AbortSignal.any([timeout.signal, query]) } as const
  try {
    const { credential } = await askCapabilities(api, as.signal)
    const operation = credential === null ? null : await accessOperation(api, credential, as)
    const reading = operation === null ? null : await askAccess(api, operation, record.clientId, as)
    return reading === null ? '' : accessText(reading.access)
  } finally {
    cancel()
  }
}

function countOf(tenants: number, inPart: boolean): string {
  const count = tenants === 0 ? 'no tenants can be seen' : `${tenants} tenant${tenants === 1 ? '' : 's'}`
  return inPart ? `${count}; a part of the answer failed` : count
}

/** Opens the socket up to the service's `connection_ack`, then closes it. */
function openSocket({ link, clock, record, redactor, signal }: Trial, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const nothing = () => {}
    const transport = openTransport({
      link,
      clock,
      url: record.subscriptionUrl,
      token,
      document: fixedDocument(defaultSubscription),
      redact: redactor.safeText,
      onAlive: nothing,
      onProven: nothing,
      onEvent: nothing,
      onPartial: nothing,
      onSubscribed: nothing,
      onRejected: () => false,
      onComplete: nothing,
      onLate: nothing,
      onOpen() {
        resolve('open')
        transport.close()
      },
      onEnd: (fault) => reject(rejectedUpgrade(fault)),
    })
    signal.addEventListener('abort', () => transport.close(), { once: true })
  })
}

/** Returns the fault of a rejected upgrade, of which the port reports only the status. */
function rejectedUpgrade({ kind, detail }: Fault): FaultError {
  return new FaultError(kind === 'http' && /^HTTP 40[45]\b/.test(detail) ? 'not-found' : kind, detail)
}
