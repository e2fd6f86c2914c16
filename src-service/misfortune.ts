/** What can go wrong with one answer. */
export type MisfortuneKind =
  /** 429 as if the balance were empty; nothing is charged. */
  | 'rate-limited'
  /** 500 with an errors body. */
  | 'http-500'
  /** 200 with a web page, as a captive portal answers. */
  | 'html'
  /** JSON that breaks off half way. */
  | 'garbage'
  /** No answer until the service stops. */
  | 'stall'
  /** The connection is cut without an answer. */
  | 'reset'
  /** `nextToken` of the answer is the one that was sent; only hits requests that carry one. */
  | 'repeat-token'
  /** Answered as if the token were not valid. */
  | 'unauthenticated'
  /** Every object has one more field, and regions and call states have a value that nobody has heard of. */
  | 'unknown-fields'
  /** The middle edge of the first page in the answer is null, with an error for it. */
  | 'partial'

export type Endpoint = 'graphql' | 'token'

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
}

/** Misfortunes that wait for their request; each hits once. */
export type Misfortunes = {
  add(kind: MisfortuneKind, aim?: Aim): void
  /** The misfortune for this request, now used up; null when none waits for it. */
  take(at: Endpoint, operation: Operation): MisfortuneKind | null
  /** Kinds that have not hit yet. */
  waiting(): MisfortuneKind[]
}

export function startMisfortunes(): Misfortunes {
  const list: { kind: MisfortuneKind; aim: Aim; skip: number }[] = []
  return {
    add: (kind, aim = {}) => void list.push({ kind, aim, skip: aim.skip ?? 0 }),
    take(at, operation) {
      const entry = list.find(({ kind, aim }) => fits(kind, aim, at, operation))
      if (!entry) return null
      if (entry.skip > 0) {
        entry.skip -= 1
        return null
      }
      list.splice(list.indexOf(entry), 1)
      return entry.kind
    },
    waiting: () => list.map(({ kind }) => kind),
  }
}

function fits(kind: MisfortuneKind, aim: Aim, at: Endpoint, operation: Operation): boolean {
  if ((aim.at ?? 'graphql') !== at) return false
  if (aim.operationName !== undefined && aim.operationName !== operation.operationName) return false
  if (kind === 'repeat-token' && tokenOf(operation) === null) return false
  return aim.match?.(operation) ?? true
}

/** The `nextToken` that a request carries, in its variables or written into the query. */
export function tokenOf(operation: Operation): string | null {
  const text = JSON.stringify(operation.variables)
  const found = /"nextToken":"([^"]+)"/.exec(text) ?? /nextToken:\s*"([^"]+)"/.exec(operation.query)
  return found?.[1] ?? null
}
