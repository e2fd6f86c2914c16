import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import { toFault } from '../../src-shared/model/fault.ts'
import { withoutCredentials } from '../auth/redactor.ts'
import type { LogLine } from '../reports/log-ring.ts'
import type { ConnectionsSnapshot } from '../connections/snapshot.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Ports } from '../ports.ts'
import type { TeamState } from '../../src-shared/model/team.ts'
import { sizesIn } from './profile-files.ts'
import type { Self } from './self.ts'
import { arch, release, type as systemType, version as systemVersion } from 'node:os'

export interface SnapshotSources {
  ports: Pick<Ports, 'clock' | 'paths' | 'secrets' | 'network'>
  about: About
  self: Pick<Self, 'marks' | 'loop'>
  data: Pick<InventoryData, 'metrics'>
  snapshot: Pick<ConnectionsSnapshot, 'records' | 'sockets' | 'queues' | 'redact'>
  updates: () => Diagnostics['updates']
  /** The team as this member sees it; null for a Muster on its own. */
  team: () => TeamState['joined']
  lines: (from: number, until: number) => LogLine[]
}

/** Timeout of an answer, ms. */
const answerTimeoutMs = 2_000
const lastLines = 200

/** Returns the present diagnostics. Never rejects: unavailable parts are described as such. */
export async function takeSnapshot(from: SnapshotSources): Promise<Diagnostics> {
  const {
    ports: { clock, paths, secrets },
    about,
    self: { marks },
    snapshot,
  } = from
  const [{ threads, dataSilent, tables }, files, proxies] = await Promise.all([
    threadsOf(from),
    sizesIn(paths.profile),
    proxiesOf(from),
  ])
  return {
    at: clock.now(),
    versions: versionsOf(about),
    start: marks.start(),
    threads,
    dataSilent,
    rss: process.memoryUsage.rss(),
    files,
    tables,
    connections: snapshot.sockets(),
    queues: snapshot.queues(),
    updates: from.updates(),
    team: teamOf(from.team()),
    keychain: { kind: secrets.kind, detail: secrets.detail },
    proxies,
    log: from
      .lines(0, Infinity)
      .slice(-lastLines)
      .map(({ at, level, text }) => ({ at, level, text: cleaned(snapshot, text) })),
  }
}

function teamOf(joined: TeamState['joined']): Diagnostics['team'] {
  if (joined === null) return null
  const { link, members, leads, evaluator, isCatchingUp, lagMs, waitingActs, takeovers } = joined
  const own = leads.filter(({ leader }) => leader?.isSelf === true).length
  const none = leads.filter(({ leader }) => leader === null).length
  return {
    link: link.is,
    fault: link.is === 'lost' ? link.fault.kind : '',
    members: members.length,
    here: members.filter(({ isHere }) => isHere).length,
    sets: { own, others: leads.length - own - none, none },
    evaluator: evaluator === null ? 'none' : evaluator.isSelf ? 'self' : 'other',
    isCatchingUp,
    lagMs,
    waitingActs,
    takeovers,
  }
}

/** Removes the secrets of this run's connections, and anything else that looks like a credential. */
export const cleaned = (snapshot: Pick<ConnectionsSnapshot, 'redact'>, text: string): string =>
  withoutCredentials(snapshot.redact(text))

async function threadsOf({
  ports: { clock },
  data,
  self: { loop },
}: SnapshotSources): Promise<Pick<Diagnostics, 'threads' | 'dataSilent' | 'tables'>> {
  const { heapUsed, heapTotal, external } = process.memoryUsage()
  const core = { name: 'core' as const, delay: loop.delay(), heapUsed, heapTotal, external }
  const answered = await withTimeout(clock, data.metrics())
  if (typeof answered === 'string') return { threads: [core], dataSilent: answered, tables: [] }
  const { tables, ...own } = answered
  return { threads: [core, { name: 'data', ...own }], dataSilent: '', tables }
}

/** Resolves with the answer, or with the reason why there is none. */
function withTimeout<T>(clock: Clock, request: Promise<T>): Promise<T | string> {
  return new Promise((resolve) => {
    const cancel = clock.after(answerTimeoutMs, () => resolve(`it has not answered for ${answerTimeoutMs / 1000} s`))
    request.then(resolve, (error: unknown) => resolve(`it does not answer (${toFault(error).kind})`)).finally(cancel)
  })
}

/** Returns the proxy of each host, once for each. */
async function proxiesOf({ ports: { network }, snapshot }: SnapshotSources): Promise<Diagnostics['proxies']> {
  const hosts = new Map(
    snapshot
      .records()
      .flatMap(({ tokenUrl, graphqlUrl, subscriptionUrl }) => [tokenUrl, graphqlUrl, subscriptionUrl])
      .map((address) => [URL.parse(address)?.host ?? '', address]),
  )
  hosts.delete('')
  return Promise.all(
    [...hosts].map(async ([host, address]) => {
      try {
        return { host, proxy: await network.proxyOf(address), problem: '' }
      } catch (error) {
        return { host, proxy: null, problem: toFault(error).detail || 'It cannot be told.' }
      }
    }),
  )
}

export interface About {
  version: string
  shell: 'web' | 'electron'
  /** True when the page has Chromium's sandbox; left out in a browser. */
  sandbox?: boolean
}

/** Returns the running versions. Electron, Chromium and the sandbox exist in the desktop application only. */
export function versionsOf({ version, shell, sandbox }: About): Diagnostics['versions'] {
  const { electron, chrome, node, sqlite, openssl } = process.versions
  const parts: [string, string | undefined][] = [
    ['Muster', version],
    ['Shell', shell === 'electron' ? 'desktop application' : 'browser'],
    ['Sandbox', sandbox === undefined ? undefined : sandbox ? 'on' : 'off: started with --no-sandbox'],
    ['Electron', electron],
    ['Chromium', chrome],
    ['Node', node],
    ['SQLite', sqlite],
    ['OpenSSL', openssl],
    ['System', `${systemType()} ${release()} (${arch()})`],
    ['System version', systemVersion()],
  ]
  return parts.flatMap(([name, found]) => (found === undefined || found === '' ? [] : [{ name, version: found }]))
}
