import { createHmac } from 'node:crypto'

/** What names belong to. The same name of two kinds has two pseudonyms. */
export type NameKind = 'host' | 'connection' | 'tenant' | 'client' | 'address'

export interface Known {
  kind: NameKind
  name: string
}

const addresses = /\b(?:wss?|https?):\/\/(?:\[[\da-f:]+\]|[^\s/:?#"'<>\\@]+)/giu
const numbers = /(?<![\w.])(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\w)/gu

/**
 * Replaces names by made-up ones. They follow from the name and `key`, so that two bundles of one computer agree, and nobody
 * without the key can try names until one fits. Known names are replaced wherever they stand; hosts of any address, and
 * addresses of the network (not this computer's own), by what they look like.
 */
export function createPseudonyms(key: string, known: readonly Known[]): (text: string) => string {
  const made = (kind: NameKind, name: string) => `${kind}-${createHmac('sha256', key).update(`${kind} ${name.toLowerCase()}`).digest('hex').slice(0, 8)}`
  const words = new Map(known.flatMap(({ kind, name }) => [...new Set([name, JSON.stringify(name).slice(1, -1)])].map((form) => [form.toLowerCase(), made(kind, name)] as const)))
  words.delete('')
  const pattern = words.size === 0 ? null : new RegExp([...words.keys()].sort((one, other) => other.length - one.length).map(wordPattern).join('|'), 'giu')
  return (text) => {
    const named = pattern === null ? text : text.replaceAll(pattern, (found) => words.get(found.toLowerCase()) ?? found)
    return named
      .replaceAll(addresses, (address) => hidden(address, made))
      .replaceAll(numbers, (number) => made('address', number))
  }
}

function hidden(address: string, made: (kind: NameKind, name: string) => string): string {
  const [scheme = '', host = ''] = address.split('://')
  const isPlain = /^(?:host-[\da-f]{8}|localhost|127\.[\d.]+|\[::1\])$/iu.test(host)
  return isPlain ? address : `${scheme}://${made('host', host)}`
}

/** Where it stands by itself: a tenant that is called Ive is not found in "received". */
const wordPattern = (word: string): string => `(?<![\\p{L}\\p{N}])${word.replaceAll(/[.*+?^${}()|[\]\\/]/gu, '\\$&')}(?![\\p{L}\\p{N}])`

/** A host, and the domain that it lies in: certificates and faults name either. */
export function hostNames(address: string): string[] {
  const host = URL.parse(address)?.hostname.toLowerCase() ?? ''
  if (host === '' || host === 'localhost' || /^[\d.]+$|^\[/u.test(host)) return []
  const labels = host.split('.')
  return [...new Set([host, labels.slice(1).join('.'), labels.slice(-2).join('.')])].filter((name) => name.includes('.'))
}
