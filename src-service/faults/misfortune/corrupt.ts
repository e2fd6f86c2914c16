import { Kind, parse, visit } from 'graphql'
import { tokenOf } from './misfortune.ts'
import type { MisfortuneKind, Operation } from './misfortune.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Returns the body of a valid answer, corrupted by `kind`; unchanged for kinds that corrupt no body. */
export function corrupt(kind: MisfortuneKind, body: string, operation: Operation): string {
  if (kind === 'garbage') return body.slice(0, Math.ceil(body.length / 2))
  if (kind === 'repeat-token')
    return changed(body, operation, { nextToken: () => tokenOf(operation), hasNextPage: () => true })
  if (kind === 'wrong-totals')
    return changed(body, operation, {
      totalCount: (count) => Math.floor(count / 2) + (count === 0 ? 1 : 0),
      countOnPage: (count) => count + 1,
    })
  if (kind === 'unknown-fields') return JSON.stringify(withUnknown(JSON.parse(body)))
  if (kind === 'partial') return JSON.stringify(withoutOneEdge(JSON.parse(body)))
  return body
}

type Changes = Record<string, (count: number) => Json>

/** Returns the answer with other values for these fields, under any alias. */
function changed(body: string, { query }: Operation, changes: Changes): string {
  const keys = new Map<string, Changes[string]>()
  const note = (name: string, key: string): void => void (changes[name] && keys.set(key, changes[name]))
  try {
    visit(parse(query), { [Kind.FIELD]: ({ name, alias }) => note(name.value, (alias ?? name).value) })
  } catch {
    // An invalid document has an answer without such fields.
  }
  return JSON.stringify(JSON.parse(body), (key, value: unknown) => {
    const change = typeof value === 'object' && value !== null ? undefined : keys.get(key)
    return change ? change(Number(value)) : value
  })
}

function withUnknown(value: Json): Json {
  if (Array.isArray(value)) return value.map(withUnknown)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    if (key === 'callStatus' && typeof item === 'string') return [key, 'ON_HOLD']
    if (key === 'region' && item !== null) return [key, { id: 'AP-1', unknownField: 'new' }]
    return [key, withUnknown(item)]
  })
  return Object.fromEntries([...entries, ['unknownField', { nested: ['new'] }]])
}

function withoutOneEdge(answer: Json): Json {
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return answer
  const place = edgesIn(answer['data'] ?? null, [])
  if (!place || place.edges.length === 0) return answer
  const middle = Math.floor(place.edges.length / 2)
  place.edges[middle] = null
  const error = {
    message: 'resource mapping failed',
    path: [...place.path, middle],
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  }
  const errors = Array.isArray(answer['errors']) ? answer['errors'] : []
  return { ...answer, errors: [...errors, error] }
}

function edgesIn(value: Json, path: (string | number)[]): { edges: Json[]; path: (string | number)[] } | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  for (const [key, item] of Object.entries(value)) {
    if (key === 'edges' && Array.isArray(item)) return { edges: item, path: [...path, key] }
    const found = edgesIn(item, [...path, key])
    if (found) return found
  }
  return null
}
