import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { startDeferredWrite } from './deferred-write.ts'
import type { Log, Settings } from '../../ports.ts'

/** The last known schema of each service, by connection, so that drift is reported once. */
export interface Schemas {
  /**
   * Stores a schema's fingerprint. Returns the difference from the last one in words; null when there is none, or no
   * last one.
   */
  compare(connection: string, fingerprint: readonly string[]): string | null
  /** Returns the last fingerprint; empty where there is none. */
  of(connection: string): string[]
  forget(connections: readonly string[]): void
  stop(): void
}

const settingsKey = 'schemas'
/** One text for each connection, so that the file stays short for readers. */
const storedSchemas = z.record(z.string(), z.string()).catch({})
/** Delay of a write, ms: forty connections store their first schema within seconds. */
const writeDelayMs = 3_000
/** Number of names in the words of a drift; the rest is counted. */
const maxNamed = 6

export function openSchemas(settings: Settings, clock: Clock, log: Log): Schemas {
  const schemas = new Map(Object.entries(storedSchemas.parse(settings.get(settingsKey) ?? {})))
  const write = startDeferredWrite({
    settings,
    clock,
    log,
    key: settingsKey,
    value: () => Object.fromEntries(schemas),
    unwritten: 'the schema of a service could not be stored',
  })
  return {
    compare(connection, fingerprint) {
      const text = fingerprint.join(' ')
      const before = schemas.get(connection)
      if (before === text) return null
      schemas.set(connection, text)
      write.within(writeDelayMs)
      return before === undefined ? null : driftBetween(before.split(' '), fingerprint)
    },
    of: (connection) => schemas.get(connection)?.split(' ') ?? [],
    forget(connections) {
      if (connections.filter((connection) => schemas.delete(connection)).length > 0) write.now()
    },
    stop: write.stop,
  }
}

/** Returns words such as "new: tags, user.email; gone: productId; changed: callStatus". */
function driftBetween(before: readonly string[], after: readonly string[]): string {
  const [old, now] = [typesOf(before), typesOf(after)]
  const added = [...now.keys()].filter((name) => !old.has(name))
  const removed = [...old.keys()].filter((name) => !now.has(name))
  const changed = [...now].filter(([name, type]) => old.has(name) && old.get(name) !== type).map(([name]) => name)
  return [['new', added] as const, ['gone', removed] as const, ['changed', changed] as const]
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${listed(names)}`)
    .join('; ')
}

function typesOf(words: readonly string[]): Map<string, string> {
  return new Map(
    words.filter((word) => word !== '').map((word) => [word.split(':')[0] ?? '', word.split(':')[1] ?? '']),
  )
}

function listed(names: readonly string[]): string {
  const rest = names.length - maxNamed
  return `${names.slice(0, maxNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
