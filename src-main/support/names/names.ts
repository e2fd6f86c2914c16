import type { Log, Network, ProxyLogins } from '../../ports.ts'
import { createScanner, looksLikeHost, markOf, type Known } from './name-shapes.ts'
import { namesInPath } from './paths.ts'
import { createNameIndex, type NameIndex } from './name-index.ts'

/** The names seen in this run, including removed ones, because the log contains them. */
export interface Names {
  learn(names: Iterable<Known>): void
  all(): Known[]
  /**
   * Returns a log that marks each known name: the log's file outlives what it names, so a name is found when it is no
   * longer known.
   */
  marking(log: Log): Log
  /** Returns a text as `marking` writes it. */
  marked(text: string): string
}

/** Characters of a line that are examined: twice what the log retains of it. */
const maxLineLength = 4000

export function createNames(): Names {
  const known = new Map<string, Known>()
  const index = createNameIndex<Known>()
  const scan = createScanner(index, new Set(), (found) =>
    found.by === 'index' ? markOf({ ...found, name: found.text }) : found.text,
  )
  // A connection's line begins with its name, whatever that is.
  const marked = (text: string) => {
    const [name = ''] = text.split(': ', 1)
    const begins = name.length < text.length && isShort(name) && known.has(`connection ${name}`)
    return begins ? `${markOf({ kind: 'connection', name })}${scan(text.slice(name.length))}` : scan(text)
  }
  return {
    marked,
    learn(names) {
      for (const { kind, name } of names) {
        const key = `${kind} ${name}`
        if (name.trim() === '' || known.has(key)) continue
        known.set(key, { kind, name })
        addName(index, { kind, name })
      }
    },
    all: () => [...known.values()],
    marking: (log) => (level, text) => log(level, marked(text.slice(0, maxLineLength))),
  }
}

/** Learns proxies by the requests for their login. Returns a function that stops it. */
export function learnProxies(names: Names, proxies: Pick<ProxyLogins, 'states' | 'onChange'>): () => void {
  const learn = () => names.learn(proxies.states().flatMap(({ address }) => hostIn(address)))
  learn()
  return proxies.onChange(learn)
}

/** Learns the proxies for addresses; those that cannot be resolved now are learned when a login is requested. */
export type LearnProxyNames = (addresses: readonly string[]) => void

/** Resolves each host once at a time: hundreds of connections begin together, and most use one host. */
export function createProxyNames(names: Names, network: Pick<Network, 'proxyOf'>): LearnProxyNames {
  const asking = new Set<string>()
  return (addresses) => {
    for (const address of addresses) {
      const origin = URL.parse(address)?.origin ?? ''
      if (origin === '' || asking.has(origin)) continue
      asking.add(origin)
      network
        .proxyOf(address)
        .then(
          (proxy) => names.learn(proxy === null ? [] : hostIn(proxy)),
          () => {},
        )
        .finally(() => asking.delete(origin))
    }
  }
}

/** Learns a connection's names and its proxies. */
export function learnRecord(
  names: Names,
  learnProxiesFor: LearnProxyNames,
  record: Parameters<typeof namesOf>[0],
): void {
  names.learn(namesOf(record))
  learnProxiesFor([record.tokenUrl, record.graphqlUrl, record.subscriptionUrl])
}

/** Learns the host of the update feed when it changes, and its proxies. */
export function createFeedNames(names: Names, learnProxiesFor: LearnProxyNames): (feed: string) => void {
  let learned = ''
  return (feed) => {
    if (feed === learned) return
    learned = feed
    names.learn(hostIn(feed))
    learnProxiesFor([feed])
  }
}

/**
 * Adds a name, also as written within a JSON text and within a key (`inventory/keys.ts`). Leaves out names that look
 * like a host, which are found by form, and short ones, which are found only where marked.
 */
export function addName(index: NameIndex<Known>, known: Known): void {
  if (looksLikeHost(known.name) || isShort(known.name)) return
  index.add(known.name, known)
  index.add(JSON.stringify(known.name).slice(1, -1), known)
  index.add(encodeURIComponent(known.name.toWellFormed()), known)
}

/**
 * True for fewer than four Latin letters and for a number of fewer than nine digits: these occur in too many texts to
 * be replaced everywhere.
 */
function isShort(name: string): boolean {
  const letters = name.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return /^(?:[\p{Script=Latin}\p{N}]{1,3}|\p{N}{1,8})$/u.test(letters)
}

/** Returns the names in a connection's record, including its paths, which may name a customer. */
export function namesOf(record: {
  name: string
  clientId: string
  tokenUrl: string
  graphqlUrl: string
  subscriptionUrl: string
  portal: string
}): Known[] {
  const { name, clientId, tokenUrl, graphqlUrl, subscriptionUrl, portal } = record
  return [
    ...[tokenUrl, graphqlUrl, subscriptionUrl, portal].flatMap(hostIn),
    ...[tokenUrl, graphqlUrl, subscriptionUrl].flatMap(namesInPath),
    { kind: 'client', name: clientId },
    { kind: 'connection', name },
  ]
}

/** Returns service and tenant in the key of a device or the id of a node (`inventory/keys.ts`). */
export function namesInKey(key: string): Known[] {
  try {
    const [service = '', tenant = ''] = key.replace(/^\w:/u, '').split('/').map(decodeURIComponent)
    return [...hostIn(service), { kind: 'tenant', name: tenant }]
  } catch {
    return []
  }
}

/** Returns the host of an address, or of `host:port`; none for this computer. */
export function hostIn(address: string): Known[] {
  const name = URL.parse(address.includes('://') ? address : `https://${address}`)?.hostname.toLowerCase() ?? ''
  return name === '' || name === 'localhost' || /^[\d.]+$|^\[/u.test(name) ? [] : [{ kind: 'host', name }]
}
