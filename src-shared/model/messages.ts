import { z } from 'zod'

/*
 * What Muster says of incidents, as facts: a kind and its parameters. The words are made where they are read
 * (text/messages.ts), by the clock of whoever reads them. Names are the service's own; times are ms since the epoch.
 */

const count = z.number()
const at = z.number()
const names = z.array(z.string())

/**
 * Where several devices are. `placeless`: in what has no place of this level (`lacks`: "site"), inside of the place `name`; null where
 * nothing above it has a name. `sites`: in so many sites. `none`: nothing is said of it.
 */
export const where = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('place'), name: z.string() }),
  z.object({ kind: z.literal('placeless'), lacks: z.string(), name: z.string().nullable() }),
  z.object({ kind: z.literal('sites'), count }),
])
export type Where = z.infer<typeof where>

/** A text that was stored before messages were facts: its parts in their order, instants as numbers. */
const parts = z.array(z.union([z.string(), at]))
export type TextPart = z.infer<typeof parts>[number]
const text = z.object({ kind: z.literal('text'), title: parts, body: parts })

/** `context`: names of the places above `where`, the deepest first. `names`: some of the devices. */
const scope = { count, where, context: names, names }
/** As the incident's own (incidents.ts). `since`: null when nobody saw the beginning. */
const incidentScope = { ...scope, shape: z.enum(['device', 'node', 'several']), since: at.nullable() }

/**
 * Devices are down. `missed`: they went down while monitoring was lost. `others`: more that are down in the same place. `unseen`:
 * more that were down when they were last seen. `overrode`: the maintenance window that was overridden by the watch list, and
 * how many devices of which place are down in it ('' for none).
 */
const offline = z.object({
  kind: z.literal('offline'),
  ...incidentScope,
  missed: z.boolean(),
  others: count,
  unseen: count,
  overrode: z.object({ window: z.string(), place: z.string(), down: count }).nullable(),
})
const flapping = z.object({ kind: z.literal('flapping'), ...incidentScope })
/** Devices that were down, or flapping, when they were last seen. */
const unseen = z.object({ kind: z.literal('unseen'), ...incidentScope, was: z.enum(['offline', 'flapping']) })

/** How many of those that came back nobody saw come back, and between which instants that was. */
const missedRecovery = z.object({ count, from: at, until: at })
export type MissedRecovery = z.infer<typeof missedRecovery>

/** Devices are back, or (`steady`) flap no longer. `left`: devices of the same notification that are down still, and that were when they were last seen. */
const recovered = z.object({
  kind: z.literal('recovered'),
  ...scope,
  steady: z.boolean(),
  left: z.object({ down: count, unseen: count }),
  missed: missedRecovery.nullable(),
})
/** Devices are no longer listed by the service. */
const unlisted = z.object({ kind: z.literal('unlisted'), ...scope })

/** `tenants`: some of them, `partial` where a part of one is meant; `count`: of how many. `all`: it is every tenant, of more than one. */
const monitoringLost = z.object({
  kind: z.literal('monitoring-lost'),
  tenants: z.array(z.object({ name: z.string(), partial: z.boolean() })),
  count,
  all: z.boolean(),
  since: at,
})

/** `all`, `open`: how many incidents there were meanwhile, and how many of them are open. `beside`: devices that went down without any of these. `behind`: the sync is not complete. */
const monitoringRestored = z.object({
  kind: z.literal('monitoring-restored'),
  tenants: names,
  count,
  all: count,
  open: count,
  beside: count,
  behind: z.boolean(),
})
/** What an absence of Muster brought: so many incidents, of which so many are open. */
const absence = z.object({ kind: z.literal('absence'), all: count, open: count })
/** Many incidents that began at a time: how many devices they have. */
const storm = z.object({ kind: z.literal('storm'), offline: count, flapping: count, where })
/** What a pause of the notifications held back, in devices. `still…`: notified before, and again after a snooze. */
const pause = z.object({
  kind: z.literal('pause'),
  offline: count,
  back: count,
  stillOffline: count,
  stillFlapping: count,
})

/**
 * The end of a maintenance window, in devices. `still`: names of some that did not come back, `stillCount` of them. `unseen`: down when they were
 * last seen. `missed`: the window ended at `endedAt` while monitoring was lost, and `count` devices went down in a span that may be in it or after it.
 */
const maintenance = z.object({
  kind: z.literal('maintenance'),
  window: z.string(),
  offline: count,
  back: count,
  still: names,
  stillCount: count,
  flapping: count,
  unseen: count,
  missed: z.object({ count, from: at, until: at, endedAt: at }).nullable(),
})

const single = [offline, flapping, unseen, recovered, unlisted, monitoringLost, maintenance, text] as const
/** A message of which only the title is said. */
export const headline = z.discriminatedUnion('kind', [...single, monitoringRestored, absence, storm, pause])
export type Headline = z.infer<typeof headline>

/** A message that sums up others: the first of them, and how many there are. */
const summary = { headlines: z.array(headline), total: count }
export const message = z.discriminatedUnion('kind', [
  ...single,
  monitoringRestored.extend(summary),
  absence.extend(summary),
  storm.extend(summary),
  pause.extend(summary),
])
export type Message = z.infer<typeof message>
export type MessageOf<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>

/** A message that says nothing. */
export const noMessage: MessageOf<'text'> = { kind: 'text', title: [], body: [] }

/**
 * What an entry of an incident's history adds to its kind. `devices`, `added`, `unlisted`: how many. `message`: what was notified. `kept`, `over`: a
 * maintenance window kept it, or ended. `place`: where it is now, or what it became a part of (`several`: devices without a common site).
 * `elsewhere`, `otherTenants`: so many devices stand in another place now, or are of other tenants and stand for themselves. `until`: null for its
 * recovery. `reason`: the operator's own. `reopened`, `grown`: it was over and is there again, or has grown beyond what was known.
 */
export const eventDetail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.enum(['devices', 'added', 'unlisted', 'elsewhere', 'otherTenants']), count }),
  z.object({ kind: z.literal('message'), message: headline }),
  z.object({ kind: z.enum(['kept', 'over']), window: z.string() }),
  z.object({ kind: z.enum(['place', 'partOf']), where }),
  z.object({ kind: z.enum(['several', 'reopened', 'grown']) }),
  z.object({ kind: z.literal('until'), until: at.nullable() }),
  z.object({ kind: z.literal('reason'), reason: z.string() }),
  z.object({ kind: z.literal('text'), text: parts }),
])
export type EventDetail = z.infer<typeof eventDetail>
