import { z } from 'zod'
import { fault } from './inventory.ts'

/*
 * A team shares its connections, what one of its members reads of them, and its incidents, by a PostgreSQL database.
 * Secrets are never shared.
 */

/** What an operator types to join a team. An empty password keeps the stored one. */
export const teamInput = z.object({
  /** `postgresql://user@host[:port]/database`, without the password. */
  address: z.string().trim().max(2000),
  password: z.string().max(1000),
  /** PEM text of a CA certificate that adds trust, or ''. */
  ca: z.string().max(100_000),
  /** The operator's name, as the team sees it. */
  operator: z.string().trim().min(1, 'Enter your name.').max(200, 'It is too long.'),
})
export type TeamInput = z.infer<typeof teamInput>

/**
 * The legs of a team's database in the order in which they are tested: address, host name, connection, certificate,
 * user and password, the server's version, the team's schema and the rights on it, notifications.
 */
export const teamLegs = ['address', 'name', 'connect', 'tls', 'sign-in', 'version', 'schema', 'notifications'] as const
export type TeamLeg = (typeof teamLegs)[number]

/**
 * The result of a leg's test. `skipped`: an earlier leg failed, or `detail` says why it is not needed. `ms`: how long it
 * took.
 */
export const teamLegResult = z.object({
  leg: z.enum(teamLegs),
  outcome: z.enum(['ok', 'failed', 'skipped']),
  fault: fault.nullable(),
  /** A result to show after success, such as the server's version. */
  detail: z.string(),
  ms: z.number(),
})
export type TeamLegResult = z.infer<typeof teamLegResult>

/** A Muster of the team. Times are of the database's clock, in ms since the epoch. */
export const teamMember = z.object({
  id: z.string(),
  /** The name that its operator typed. */
  operator: z.string(),
  /** The database role that it signed in with, which the database vouches for. */
  role: z.string(),
  musterVersion: z.string(),
  joinedAt: z.number(),
  seenAt: z.number(),
  /** Whether it was seen within the last seconds. */
  isHere: z.boolean(),
  /** This Muster. */
  isSelf: z.boolean(),
})
export type TeamMember = z.infer<typeof teamMember>

/**
 * The link to the team's database. `read-only`: the schema is `newer` than this Muster knows, or `behind` and may not be
 * migrated by this role. `lost`: it cannot be reached since then; what is shown is this Muster's copy.
 */
export const teamLink = z.discriminatedUnion('is', [
  z.object({ is: z.literal('connecting') }),
  z.object({ is: z.literal('online'), since: z.number() }),
  z.object({ is: z.literal('read-only'), why: z.enum(['newer', 'behind']), version: z.number() }),
  z.object({ is: z.literal('lost'), since: z.number(), fault }),
])
export type TeamLink = z.infer<typeof teamLink>

/** A credential set, by the names of its connections, and the member that reads it; null: none does now. */
const teamLead = z.object({
  connections: z.array(z.string()),
  leader: z.object({ operator: z.string(), isSelf: z.boolean() }).nullable(),
})

/** The team as this Muster sees it; `joined` is null for a Muster on its own. */
export const teamState = z.object({
  joined: z
    .object({
      address: z.string(),
      operator: z.string(),
      hasCa: z.boolean(),
      link: teamLink,
      members: z.array(teamMember),
      leads: z.array(teamLead),
      /** Which incidents members look at now; whoever looks at none is left out. */
      looking: z.array(z.object({ operator: z.string(), isSelf: z.boolean(), incident: z.string() })),
      /** The member that turns transitions into incidents for all; null: none does now. */
      evaluator: z.object({ operator: z.string(), isSelf: z.boolean() }).nullable(),
      /** Changes of notes, tags, views and saved operations here that the team does not know yet. */
      waitingActs: z.number(),
      /**
       * How old the oldest row of the team's log is that this Muster has read and not carried out, ms; 0: none waits. Leases
       * that it has taken over since it began to take part.
       */
      lagMs: z.number(),
      takeovers: z.number(),
      /** True while this Muster takes over what the team knows, before it shows anything of it. */
      isCatchingUp: z.boolean(),
    })
    .nullable(),
})
export type TeamState = z.infer<typeof teamState>
