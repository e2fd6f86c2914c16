import { z } from 'zod'
import { datedAccess } from './access.ts'
import { fault } from './inventory.ts'
import { placeDirectory } from './place-directory.ts'

/**
 * The state of a connection's live socket. Each state has only the fields that exist in it. `partly`: the number of
 * devices that are live, of all; the others are polled.
 */
export const linkState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('connecting'), attempt: z.number() }),
  z.object({
    state: z.literal('live'),
    since: z.number(),
    partly: z.object({ live: z.number(), of: z.number() }).optional(),
  }),
  z.object({ state: z.literal('waiting'), attempt: z.number(), retryAt: z.number() }),
  /**
   * Changes arrive by polling only: the service offers no subscription, or the live connection fails (`failing`).
   * `readAt`: when the oldest shown data was read, in ms.
   */
  z.object({ state: z.literal('polling'), readAt: z.number().optional(), failing: fault.optional() }),
])
export type LinkState = z.infer<typeof linkState>

/** The progress of a connection's sync. Counts are devices. */
export const syncState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    state: z.literal('syncing'),
    /** `inventory`: a full sync. `changes`: the cheap comparison after a subscription. */
    what: z.enum(['inventory', 'changes']),
    read: z.number(),
    /** Best known total; null until the service has said it. */
    expected: z.number().nullable(),
    tenantsDone: z.number(),
    tenants: z.number(),
  }),
  /** Waits until `until`, because no points are left or the service asks to wait. */
  z.object({
    state: z.literal('holding'),
    what: z.enum(['inventory', 'changes']),
    read: z.number(),
    expected: z.number().nullable(),
    until: z.number(),
    /** The reason of the wait; `points` when left out. */
    why: z.enum(['points', 'service']).optional(),
  }),
])
export type SyncState = z.infer<typeof syncState>

/**
 * The checks that Muster makes of itself before it calls a device down: its own link, token, heartbeat, clock and
 * balance.
 */
export const checkNames = ['link', 'token', 'heartbeat', 'clock', 'balance'] as const

/**
 * The result of one check for one connection. `since`: when the doubt began, where that is known; null without a doubt.
 * `detail`: a sentence.
 */
export const check = z.object({
  check: z.enum(checkNames),
  state: z.enum(['ok', 'doubt']),
  since: z.number().nullable(),
  detail: z.string(),
})
export type Check = z.infer<typeof check>

/** A connection as the window may see it, never with its secret. */
export const connectionState = z.object({
  id: z.string(),
  name: z.string(),
  demo: z.boolean(),
  tokenUrl: z.string(),
  graphqlUrl: z.string(),
  subscriptionUrl: z.string(),
  clientId: z.string(),
  /** True when it has its own CA certificate or subscription document; `connections.show` returns their texts. */
  hasCa: z.boolean(),
  hasSubscription: z.boolean(),
  /** Address template of a device's page in the vendor's portal, with `{tenant}` and `{id}`; '' for none. */
  portal: z.string(),
  /** Paused by the operator: it sends and receives nothing, and devices that only it lists are unknown. */
  paused: z.boolean(),
  /** Where the secret is: in the system's keychain, in memory until quit, with the team's member that reads it, or missing. */
  secret: z.enum(['keychain', 'session', 'elsewhere', 'missing']),
  link: linkState,
  sync: syncState,
  /** When the last stream event came. */
  lastEventAt: z.number().nullable(),
  /** When the last full sync was complete. */
  lastReadingAt: z.number().nullable(),
  /** When the service last proved to be reachable: by an answer, an event or a Pong. Kept over a restart. */
  heardAt: z.number().nullable(),
  /**
   * Present faults, oldest first; empty when there are none. `where` names the leg or the tenant; `tenant`: its id, for
   * a tenant's fault.
   */
  faults: z.array(z.object({ where: z.string(), fault, at: z.number(), tenant: z.string().optional() })),
  /**
   * Names of the base fields that the service does not offer (`lastConfigRequestDate`, `site.name`); left out when it
   * offers all.
   */
  notOffered: z.array(z.string()).optional(),
  /** Role and scope of its credential set, as last told; left out where the service tells nothing. */
  access: datedAccess.optional(),
  /** What was last read of its accounts, sites and rooms; left out before the first reading. */
  places: placeDirectory.optional(),
  /** The operator of the team's member that reads it; left out where this Muster reads it, or nobody does. */
  readBy: z.string().optional(),
  /** Results of all five checks, in order; empty for a paused connection. */
  checks: z.array(check),
})
export type ConnectionState = z.infer<typeof connectionState>

/** The operator's input for a new or changed connection. An empty secret keeps the stored one. */
export const connectionInput = z.object({
  id: z.string().max(64).nullable(),
  name: z.string().trim().min(1, 'Give it a name.').max(200),
  tokenUrl: z.string().trim().max(2000),
  graphqlUrl: z.string().trim().max(2000),
  subscriptionUrl: z.string().trim().max(2000),
  clientId: z.string().trim().min(1, 'The client id is missing.').max(500),
  clientSecret: z.string().max(4000),
  ca: z.string().max(100_000),
  /** Subscription document; '' for the standard one. */
  subscription: z.string().max(10_000),
  portal: z.string().trim().max(2000),
})
export type ConnectionInput = z.infer<typeof connectionInput>

/** Returns the problems of a rejected connection input, field by field, in sentences. */
export function inputProblems({ issues }: z.ZodError): [keyof ConnectionInput, string][] {
  return issues.map((issue) => [
    (issue.path[0] ?? 'name') as keyof ConnectionInput,
    issue.code === 'too_big' ? `It is longer than ${issue.maximum} characters.` : issue.message,
  ])
}

/**
 * The legs of a connection in the order in which they are tested: host name, certificate, token, query, live socket.
 */
export const legs = ['name', 'tls', 'token', 'query', 'socket'] as const

export const leg = z.enum(legs)
export type Leg = z.infer<typeof leg>

/** The result of a leg's test. `skipped`: an earlier leg failed. `ms`: how long it took. */
export const legResult = z.object({
  leg,
  outcome: z.enum(['ok', 'failed', 'skipped']),
  fault: fault.nullable(),
  /** A result to show after success, such as the number of tenants or the token's lifetime. */
  detail: z.string(),
  ms: z.number(),
})
export type LegResult = z.infer<typeof legResult>

/** The result of a line of an import. `line` counts from 1, including the head. */
export const importLine = z.object({
  line: z.number(),
  name: z.string(),
  /** `unchanged`: the line has no new values. */
  what: z.enum(['add', 'change', 'unchanged', 'reject']),
  /** Why it is rejected, in words that name the column; '' when it is not. */
  problem: z.string(),
  /** Neither the line nor Muster has a secret: the connection cannot sign in until somebody enters one. */
  lacksSecret: z.boolean(),
})
export type ImportLine = z.infer<typeof importLine>
