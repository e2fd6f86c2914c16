import type { Log, Network, ProxyLogins } from '../../ports.ts'
import { createScanner, looksLikeHost, markOf, type Known } from './name-shapes.ts'
import { namesInPath } from './paths.ts'
import { createNameIndex, type NameIndex } from './name-index.ts'

/** The names that Muster has heard in this run; also those of what is removed by now, because the log remembers it. */
export interface Names {
  learn(names: Iterable<Known>): void
  all(): Known[]
  /** The log's file outlives what it tells of: each known name is marked there, so that it is found when it is known no longer. */
  marking(log: Log): Log
  /** A text as `marking` writes it. */
  marked(text: string): string
}

/** Twice what the log keeps of a line: no more of what somebody passed on is looked through. */
const mostOfLine = 4000

export function createNames(): Names {
  const known = new Map<string, Known>()
  const words = createNameIndex<Known>()
  const scan = createScanner(words, new Set(), (found) =>
    found.by === 'word' ? markOf({ ...found, name: found.text }) : found.text,
  )
  // What a connection writes begins with its name, whatever it is called.
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
        addName(words, { kind, name })
      }
    },
    all: () => [...known.values()],
    marking: (log) => (level, text) => log(level, marked(text.slice(0, mostOfLine))),
  }
}

/** Proxies are named by who is asked for their login. Returns the way to stop. */
export function learnProxies(names: Names, proxies: Pick<ProxyLogins, 'states' | 'onChange'>): () => void {
  const learn = () => names.learn(proxies.states().flatMap(({ address }) => hostIn(address)))
  learn()
  return proxies.onChange(learn)
}

/** Learns by which proxies addresses are reached; what cannot be told is told by whoever asks there. */
export type LearnWays = (addresses: readonly string[]) => void

/** Hundreds of connections begin together, and most lead to one host: it is asked for once at a time. */
export function createWays(names: Names, network: Pick<Network, 'proxyOf'>): LearnWays {
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

/** What a connection is called by, and the proxies on its way. */
export function learnRecord(names: Names, ways: LearnWays, record: Parameters<typeof namesOf>[0]): void {
  names.learn(namesOf(record))
  ways([record.tokenUrl, record.graphqlUrl, record.subscriptionUrl])
}

/** Learns the host of the feed of updates whenever it is another one, and the proxies on its way. */
export function createFeedNames(names: Names, ways: LearnWays): (feed: string) => void {
  let learned = ''
  return (feed) => {
    if (feed === learned) return
    learned = feed
    names.learn(hostIn(feed))
    ways([feed])
  }
}

/** Adds a name also as it is written within a text of JSON and within a key (`inventory/keys.ts`). What looks like a host is found without being known, and a short name only where it is marked. */
export function addName(words: NameIndex<Known>, known: Known): void {
  if (looksLikeHost(known.name) || isShort(known.name)) return
  words.add(known.name, known)
  words.add(JSON.stringify(known.name).slice(1, -1), known)
  words.add(encodeURIComponent(known.name.toWellFormed()), known)
}

/** True for fewer than four Latin letters and for a number of fewer than nine digits: these are parts of too many texts to be replaced wherever they stand. */
function isShort(name: string): boolean {
  const letters = name.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return /^(?:[\p{Script=Latin}\p{N}]{1,3}|\p{N}{1,8})$/u.test(letters)
}

/** The names in a connection's record. Its paths may name a customer. */
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

/** Service and tenant in the key of a device or the id of a node (`inventory/keys.ts`), which outlive what they name. */
export function namesInKey(key: string): Known[] {
  try {
    const [service = '', tenant = ''] = key.replace(/^\w:/u, '').split('/').map(decodeURIComponent)
    return [...hostIn(service), { kind: 'tenant', name: tenant }]
  } catch {
    return []
  }
}

/** The host of an address, or of `host:port`; none of this computer's own. */
export function hostIn(address: string): Known[] {
  const name = URL.parse(address.includes('://') ? address : `https://${address}`)?.hostname.toLowerCase() ?? ''
  return name === '' || name === 'localhost' || /^[\d.]+$|^\[/u.test(name) ? [] : [{ kind: 'host', name }]
}
