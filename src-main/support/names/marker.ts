import type { Diagnostics } from '../../../src-shared/contract/diagnostics.ts'
import { markOf, type Known } from './name-shapes.ts'
import { hostIn, type Names } from './names.ts'
import { namesInPath } from './paths.ts'

/** Marks names in fields that contain names, so that `pseudonyms.ts` replaces them there, whatever they look like. */
export interface Marker {
  connection(name: string): string
  client(id: string): string
  certificate(fingerprint: string): string
  /** Marks `host` or `host:port`. */
  host(host: string): string
  /** Marks the place of a fault: a leg, or a tenant's name. */
  where(where: string): string
  /** Marks the key of a device or a node (`inventory/keys.ts`). */
  key(key: string): string
  /** Marks a line of the log. */
  line(text: string): string
}

export function createMarker({ all, marked }: Names): Marker {
  const tenants = new Set(all().flatMap(({ kind, name }) => (kind === 'tenant' ? [name] : [])))
  const host = (text: string) =>
    hostIn(text).reduce((shown, { name }) => `${markOf({ kind: 'host', name })}${shown.slice(name.length)}`, text)
  return {
    connection: (name) => markOf({ kind: 'connection', name }),
    client: (name) => markOf({ kind: 'client', name }),
    certificate: (name) => markOf({ kind: 'certificate', name }),
    host,
    where: (name) => (tenants.has(name) ? markOf({ kind: 'tenant', name }) : name),
    key: (key) => markedKey(key, host),
    line: marked,
  }
}

/** Changes nothing, for a bundle with real names. */
const same = (text: string): string => text
export const noMarks: Marker = {
  connection: same,
  client: same,
  certificate: same,
  host: same,
  where: same,
  key: same,
  line: same,
}

/** Marks service and tenant in a key; the rest contains no name. */
function markedKey(key: string, host: (text: string) => string): string {
  try {
    const [, kind = '', service = '', tenant = '', rest = ''] = /^(\w:)?([^/]*)\/([^/]*)(.*)$/su.exec(key) ?? []
    const [at = '', ...path] = decodeURIComponent(service).split('/')
    const names = new Map(namesInPath(`https://${decodeURIComponent(service)}`).map((known) => [known.name, known]))
    const shown = [host(at), ...path.map((part) => replaced(names.get(part), part))].join('/')
    return service === ''
      ? key
      : `${kind}${shown}/${markOf({ kind: 'tenant', name: decodeURIComponent(tenant) })}${rest}`
  } catch {
    return key
  }
}

const replaced = (known: Known | undefined, part: string): string => (known === undefined ? part : markOf(known))

/** Marks the names in the data of the Diagnostics screen. */
export function markedSeen(seen: Diagnostics, mark: Marker): Diagnostics {
  const names = new Set(seen.connections.map(({ name }) => name))
  const users = (name: string) => (names.has(name) ? [name] : name.split(', ')).map(mark.connection).join(', ')
  return {
    ...seen,
    connections: seen.connections.map((one) => ({ ...one, name: mark.connection(one.name) })),
    queues: seen.queues.map((queue) => ({ ...queue, name: users(queue.name) })),
    proxies: seen.proxies.map((one) => ({
      ...one,
      host: mark.host(one.host),
      proxy: one.proxy === null || one.proxy.includes('://') ? one.proxy : mark.host(one.proxy),
    })),
    log: seen.log.map((line) => ({ ...line, text: mark.line(line.text) })),
  }
}
