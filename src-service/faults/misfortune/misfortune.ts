import { startRandom } from '../../world/random.ts'

/** Failures of a single answer. */
export const misfortuneKinds = [
  /** The answer is late by `ms`; can be combined with any other. */
  'latency',
  /** 429 as if the balance were empty; nothing is charged. */
  'rate-limited',
  /** 500 with an errors body. */
  'http-500',
  /** 200 with a web page, as a captive portal answers. */
  'html',
  /** JSON that breaks off half way with status 200. */
  'garbage',
  /** No answer until the service stops. */
  'stall',
  /** The connection is cut without an answer. */
  'reset',
  /** The connection is cut in the middle of the body. */
  'cut-short',
  /** `nextToken` of the answer is the one of the request; only for requests that carry one. */
  'repeat-token',
  /** `totalCount` is halved, `countOnPage` is one too high; only for requests with one of them. */
  'wrong-totals',
  /** Answered as for an invalid token. */
  'unauthenticated',
  /** Every object has one more field, and regions and call states have an unknown value. */
  'unknown-fields',
  /** The middle edge of the answer's first page is null, with an error for it. */
  'partial',
] as const

export type MisfortuneKind = (typeof misfortuneKinds)[number]

type Endpoint = 'graphql' | 'token'

/** The readable parts of a request before it is answered. */
export type Operation = { operationName: string | null; query: string; variables: Record<string, unknown> }

export type Aim = {
  /** Default: graphql. */
  at?: Endpoint
  /** Only requests with this operation name. */
  operationName?: string
  /** Only requests for which this returns true. */
  match?: (operation: Operation) => boolean
  /** Number of matching requests to skip first. Default: 0. */
  skip?: number
  /** Delay of `latency`, ms. Default: 1000. */
  ms?: number
}

export type LastingAim = Aim & {
  /** Share of the matching requests that is affected, 0 to 1. Default: 1. */
  share?: number
  /** Seed of the share. Default: 1. */
  seed?: number
}

/** The effect on one request: a delay in ms, and then a failure. */
export type Effect = { ms: number; kind: Exclude<MisfortuneKind, 'latency'> | null }

/** Misfortunes that wait for their request. */
export type Misfortunes = {
  /** Affects the next matching request, once. */
  add(kind: MisfortuneKind, aim?: Aim): void
  /**
   * Affects all matching requests, or a share of them, until the returned function is called. Single ones take
   * precedence.
   */
  always(kind: MisfortuneKind, aim?: LastingAim): () => void
  /** Returns the effect on this request, of one or several operations; consumes single misfortunes. */
  take(at: Endpoint, operations: readonly Operation[]): Effect
  /** Returns the kinds of single misfortunes that have not been used yet. */
  waiting(): MisfortuneKind[]
}

type Entry = { kind: MisfortuneKind; aim: Aim; skip: number; hits: () => boolean; once: boolean }

export function startMisfortunes(): Misfortunes {
  const list: Entry[] = []
  const drop = (entry: Entry): void => void (list.includes(entry) && list.splice(list.indexOf(entry), 1))
  const hit = (entry: Entry): boolean => {
    entry.skip -= 1
    if (entry.skip >= 0 || !entry.hits()) return false
    if (entry.once) drop(entry)
    return true
  }
  return {
    add: (kind, aim = {}) => void list.push({ kind, aim, skip: aim.skip ?? 0, hits: () => true, once: true }),
    always(kind, { share = 1, seed = 1, ...aim } = {}) {
      const random = startRandom(seed)
      const entry = { kind, aim, skip: aim.skip ?? 0, hits: () => random.chance(share), once: false }
      list.push(entry)
      return () => drop(entry)
    },
    take(at, operations) {
      const fitting = list.filter(({ kind, aim }) => operations.some((operation) => fits(kind, aim, at, operation)))
      const [late, other] = [
        fitting.filter(({ kind }) => kind === 'latency'),
        fitting.filter(({ kind }) => kind !== 'latency'),
      ]
      // Only the first of the single ones advances with a request; the next one waits for the request after.
      const inTurn = (entries: Entry[]): Entry[] => [
        ...entries.filter(({ once }) => once).slice(0, 1),
        ...entries.filter(({ once }) => !once),
      ]
      const ms = inTurn(late)
        .filter(hit)
        .reduce((sum, { aim }) => sum + (aim.ms ?? 1000), 0)
      const kind = inTurn(other).find(hit)?.kind ?? null
      return { ms, kind: kind === 'latency' ? null : kind }
    },
    waiting: () => list.filter(({ once }) => once).map(({ kind }) => kind),
  }
}

function fits(kind: MisfortuneKind, aim: Aim, at: Endpoint, operation: Operation): boolean {
  if ((aim.at ?? 'graphql') !== at) return false
  if (aim.operationName !== undefined && aim.operationName !== operation.operationName) return false
  if (kind === 'repeat-token' && tokenOf(operation) === null) return false
  if (kind === 'wrong-totals' && !/\b(?:totalCount|countOnPage)\b/.test(operation.query)) return false
  return aim.match?.(operation) ?? true
}

/** Returns the `nextToken` of a request, in its variables or in the query; null: none. */
export function tokenOf(operation: Operation): string | null {
  const text = JSON.stringify(operation.variables)
  const found = /"nextToken":"([^"]+)"/.exec(text) ?? /nextToken:\s*"([^"]+)"/.exec(operation.query)
  return found?.[1] ?? null
}
