import { z } from 'zod'
import type { Log, Settings } from '../ports.ts'

/** What each service's schema looked like the last time, by connection: drift is told once. */
export interface Schemas {
  /** Keeps the words of a schema, and answers in words what came and went since the last time; null when nothing did, or there was no last time. */
  compare(connection: string, fingerprint: readonly string[]): string | null
  forget(connection: string): void
}

const settingsKey = 'schemas'
/** One text for each connection: a person who reads the file should not have to pass hundreds of lines. */
const kept = z.record(z.string(), z.string()).catch({})
/** Names in the words of a drift; the rest is counted. */
const mostNamed = 6

export function openSchemas(settings: Settings, log: Log): Schemas {
  let schemas = kept.parse(settings.get(settingsKey) ?? {})
  const keep = (next: Record<string, string>) => {
    schemas = next
    try {
      settings.set(settingsKey, next)
    } catch {
      log('warn', 'what a service offers could not be kept')
    }
  }
  return {
    compare(connection, fingerprint) {
      const text = fingerprint.join(' ')
      const before = schemas[connection]
      if (before === text) return null
      keep({ ...schemas, [connection]: text })
      return before === undefined ? null : driftBetween(before.split(' '), fingerprint)
    },
    forget(connection) {
      if (schemas[connection] === undefined) return
      const { [connection]: _gone, ...others } = schemas
      keep(others)
    },
  }
}

/** "new: tags, user.email; gone: productId; changed: callStatus". */
function driftBetween(before: readonly string[], after: readonly string[]): string {
  const [old, now] = [typesOf(before), typesOf(after)]
  const came = [...now.keys()].filter((name) => !old.has(name))
  const went = [...old.keys()].filter((name) => !now.has(name))
  const changed = [...now].filter(([name, type]) => old.has(name) && old.get(name) !== type).map(([name]) => name)
  return [['new', came] as const, ['gone', went] as const, ['changed', changed] as const]
    .filter(([, names]) => names.length > 0).map(([what, names]) => `${what}: ${listed(names)}`).join('; ')
}

function typesOf(words: readonly string[]): Map<string, string> {
  return new Map(words.filter((word) => word !== '').map((word) => [word.split(':')[0] ?? '', word.split(':')[1] ?? '']))
}

function listed(names: readonly string[]): string {
  const rest = names.length - mostNamed
  return `${names.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
