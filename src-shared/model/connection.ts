import { z } from 'zod'
import { fault } from './inventory.ts'

/** How a connection's live socket stands. Each state holds what exists only in it. `partly`: of so many devices so many are live; the others are read again and again. */
export const linkState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('connecting'), attempt: z.number() }),
  z.object({
    state: z.literal('live'),
    since: z.number(),
    partly: z.object({ live: z.number(), of: z.number() }).optional(),
  }),
  z.object({ state: z.literal('waiting'), attempt: z.number(), retryAt: z.number() }),
  /** Readings alone tell of changes: the service offers no stream, or the live connection fails (`failing`). `readAt`: when the oldest of what is shown was read, ms. */
  z.object({ state: z.literal('polling'), readAt: z.number().optional(), failing: fault.optional() }),
])
export type LinkState = z.infer<typeof linkState>

/** What the reading of a connection's estate is doing. Counts are devices. */
export const syncState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    state: z.literal('syncing'),
    /** `inventory`: everything anew. `changes`: the cheap comparison after a subscription. */
    what: z.enum(['inventory', 'changes']),
    read: z.number(),
    /** Best known total; null until the service said it. */
    expected: z.number().nullable(),
    tenantsDone: z.number(),
    tenants: z.number(),
  }),
  /** No points left, or the service asks to wait: goes on at `until`. */
  z.object({
    state: z.literal('holding'),
    what: z.enum(['inventory', 'changes']),
    read: z.number(),
    expected: z.number().nullable(),
    until: z.number(),
    /** What is waited for. Left out: points. */
    why: z.enum(['points', 'service']).optional(),
  }),
])
export type SyncState = z.infer<typeof syncState>

/** What Muster looks at before it calls a device down: its own link, token, heartbeat, clock and balance. */
export const checkNames = ['link', 'token', 'heartbeat', 'clock', 'balance'] as const

/** One of these for one connection. `since`: when the doubt began, where that is known; null while there is none. `detail`: a sentence. */
export const check = z.object({
  check: z.enum(checkNames),
  state: z.enum(['ok', 'doubt']),
  since: z.number().nullable(),
  detail: z.string(),
})
export type Check = z.infer<typeof check>

/** A connection as the window may know it: never with its secret. */
export const connectionState = z.object({
  id: z.string(),
  name: z.string(),
  demo: z.boolean(),
  tokenUrl: z.string(),
  graphqlUrl: z.string(),
  subscriptionUrl: z.string(),
  clientId: z.string(),
  /** Whether it has a CA certificate or a subscription document of its own; `connections.show` has their texts. */
  hasCa: z.boolean(),
  hasSubscription: z.boolean(),
  /** Address of a device's page in the vendor's portal, with `{tenant}` and `{id}` in their places; '' for none. */
  portal: z.string(),
  /** Set by the operator: it is neither read nor listened to, and what it alone sees is unknown. */
  paused: z.boolean(),
  /** Where the secret is: in the system's keychain, in memory until quit, or missing. */
  secret: z.enum(['keychain', 'session', 'missing']),
  link: linkState,
  sync: syncState,
  /** When the last stream event came. */
  lastEventAt: z.number().nullable(),
  /** When the last full reading was complete. */
  lastReadingAt: z.number().nullable(),
  /** When the service last proved to be there: an answer, an event, a Pong. Kept over a restart. */
  heardAt: z.number().nullable(),
  /** Errors now, oldest first; empty when all is well. `where` names the leg or the tenant; `tenant`: its id, where it is a tenant's. */
  faults: z.array(z.object({ where: z.string(), fault, at: z.number(), tenant: z.string().optional() })),
  /** Names of the base fields that the service does not offer (`lastConfigRequestDate`, `site.name`); left out when it offers all. */
  notOffered: z.array(z.string()).optional(),
  /** "Is it me?": all five, in their order; none of a paused connection, which is not to see. */
  checks: z.array(check),
})
export type ConnectionState = z.infer<typeof connectionState>

/** What the operator types to make or change a connection. An empty secret keeps the one that is known. */
export const connectionInput = z.object({
  id: z.string().max(64).nullable(),
  name: z.string().trim().min(1, 'Give it a name.').max(200),
  tokenUrl: z.string().trim().max(2000),
  graphqlUrl: z.string().trim().max(2000),
  subscriptionUrl: z.string().trim().max(2000),
  clientId: z.string().trim().min(1, 'The client id is missing.').max(500),
  clientSecret: z.string().max(4000),
  ca: z.string().max(100_000),
  /** Subscription document; empty for the usual one. */
  subscription: z.string().max(10_000),
  portal: z.string().trim().max(2000),
})
export type ConnectionInput = z.infer<typeof connectionInput>

/** What the border refuses of a connection's input, field by field, in sentences. */
export function inputProblems({ issues }: z.ZodError): [keyof ConnectionInput, string][] {
  return issues.map((issue) => [
    (issue.path[0] ?? 'name') as keyof ConnectionInput,
    issue.code === 'too_big' ? `It is longer than ${issue.maximum} characters.` : issue.message,
  ])
}

/** The legs of a connection in the order in which they are tried: host name, certificate, token, query, live socket. */
export const legs = ['name', 'tls', 'token', 'query', 'socket'] as const

export const leg = z.enum(legs)
export type Leg = z.infer<typeof leg>

/** What a leg's try came to. `skipped`: one before it failed. `ms` is how long it took. */
export const legResult = z.object({
  leg,
  outcome: z.enum(['ok', 'failed', 'skipped']),
  fault: fault.nullable(),
  /** A fact worth seeing when it went well: the tenants seen, the token's lifetime. */
  detail: z.string(),
  ms: z.number(),
})
export type LegResult = z.infer<typeof legResult>

/** A line of an import. `line` counts from 1, the head included. */
export const importLine = z.object({
  line: z.number(),
  name: z.string(),
  /** `unchanged`: the line says what is known already. */
  what: z.enum(['add', 'change', 'unchanged', 'refuse']),
  /** Why it is refused, in words that name the column; '' when it is not. */
  problem: z.string(),
  /** The line has no secret and none is known: the connection cannot sign in until somebody enters one. */
  lacksSecret: z.boolean(),
})
export type ImportLine = z.infer<typeof importLine>
