import { startRandom } from '../world/random.ts'

/** What can go wrong with one answer. */
export const misfortuneKinds = [
  /** The answer is late by `ms`. Any other misfortune can come on top. */
  'latency',
  /** 429 as if the balance were empty; nothing is charged. */
  'rate-limited',
  /** 500 with an errors body. */
  'http-500',
  /** 200 with a web page, as a captive portal answers. */
  'html',
  /** JSON that breaks off half way, told as if it were whole. */
  'garbage',
  /** No answer until the service stops. */
  'stall',
  /** The connection is cut without an answer. */
  'reset',
  /** The connection is cut in the middle of the body. */
  'cut-short',
  /** `nextToken` of the answer is the one that was sent; only hits requests that carry one. */
  'repeat-token',
  /** `totalCount` is half of what it is, `countOnPage` one more; only hits requests that ask for one of them. */
  'wrong-totals',
  /** Answered as if the token were not valid. */
  'unauthenticated',
  /** Every object has one more field, and regions and call states have a value that nobody has heard of. */
  'unknown-fields',
  /** The middle edge of the first page in the answer is null, with an error for it. */
  'partial',
] as const

export type MisfortuneKind = (typeof misfortuneKinds)[number]

type Endpoint = 'graphql' | 'token'

/** A request as far as it can be read before it is answered. */
export type Operation = { operationName: string | null; query: string; variables: Record<string, unknown> }

export type Aim = {
  /** Default: graphql. */
  at?: Endpoint
  /** Only requests of that operation name. */
  operationName?: string
  /** Only requests that fit. */
  match?: (operation: Operation) => boolean
  /** Fitting requests to let pass first. Default: 0. */
  skip?: number
  /** How late, for `latency`. Default: 1000. */
  ms?: number
}

export type LastingAim = Aim & {
  /** The part of the fitting requests that is hit, 0 to 1. Default: 1. */
  share?: number
  /** The same seed hits the same ones of them. Default: 1. */
  seed?: number
}

/** What happens to one request: late by so many milliseconds, and then that. */
export type Blow = { ms: number; kind: Exclude<MisfortuneKind, 'latency'> | null }

/** Misfortunes that wait for their request. */
export type Misfortunes = {
  /** Hits the next request that fits, once. */
  add(kind: MisfortuneKind, aim?: Aim): void
  /** Hits all requests that fit, or a part of them, until what it returns is called. One that waits for its request goes before. */
  always(kind: MisfortuneKind, aim?: LastingAim): () => void
  /** The blow for this request, of one or several operations; what hits once is now used up. */
  take(at: Endpoint, operations: readonly Operation[]): Blow
  /** Kinds of those that hit once and have not yet. */
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
      // Of those that hit once, the first alone comes nearer with a request: the next one waits for the request after.
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

/** The `nextToken` that a request carries, in its variables or written into the query. */
export function tokenOf(operation: Operation): string | null {
  const text = JSON.stringify(operation.variables)
  const found = /"nextToken":"([^"]+)"/.exec(text) ?? /nextToken:\s*"([^"]+)"/.exec(operation.query)
  return found?.[1] ?? null
}
