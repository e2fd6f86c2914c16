import { z } from 'zod'

/*
 * Messages about incidents as facts: a kind and its parameters. The texts are made where they are read
 * (text/messages.ts), by the reader's clock. Names are the service's own; times are in ms since the epoch.
 */

const count = z.number()
const at = z.number()
const names = z.array(z.string())

/**
 * The location of several devices. `place`: in this place; `of` is there where its text says the kind, because the name
 * alone could be a site's or a tenant's. `placeless`: without a place of this level (`lacks`: "site"), inside the place
 * `name`, which is null when nothing above it has a name. `sites`: in this many sites. `none`: not given.
 */
export const where = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('place'), name: z.string(), of: z.literal('account').optional() }),
  z.object({ kind: z.literal('placeless'), lacks: z.string(), name: z.string().nullable() }),
  z.object({ kind: z.literal('sites'), count }),
])
export type Where = z.infer<typeof where>

/** A text that was stored before messages were facts: its parts in order, with instants as numbers. */
const parts = z.array(z.union([z.string(), at]))
export type TextPart = z.infer<typeof parts>[number]
const text = z.object({ kind: z.literal('text'), title: parts, body: parts })

/** `context`: names of the places above `where`, the deepest first. `names`: some of the devices. */
const scope = { count, where, context: names, names }
/** As in an incident (incidents.ts). `since` is null when nobody saw the beginning. */
const incidentScope = { ...scope, shape: z.enum(['device', 'node', 'several']), since: at.nullable() }

/**
 * Devices that a job rebooted and that were not back in their time: their number, when the first and the last reboot
 * were sent, and the shortest time that they had (ms).
 */
export const reboots = z.object({ count, from: at, until: at, waitMs: z.number() })
export type Reboots = z.infer<typeof reboots>

/**
 * Devices are down. `missed`: they went down while monitoring was lost. `others`: more that are down in the same place.
 * `unseen`: more that were down when last seen. `overrode`: the maintenance window that the watch list overrode, and
 * how many devices of which place are down in it ('' for none). `reboots`: of these devices; left out for none.
 */
const offline = z.object({
  kind: z.literal('offline'),
  ...incidentScope,
  missed: z.boolean(),
  others: count,
  unseen: count,
  overrode: z.object({ window: z.string(), place: z.string(), down: count }).nullable(),
  reboots: reboots.optional(),
})
const flapping = z.object({ kind: z.literal('flapping'), ...incidentScope })
/** Devices that were down, or flapping, when last seen. */
const unseen = z.object({ kind: z.literal('unseen'), ...incidentScope, was: z.enum(['offline', 'flapping']) })

/** Number of recoveries that nobody saw, and the span in which they happened. */
const missedRecovery = z.object({ count, from: at, until: at })
export type MissedRecovery = z.infer<typeof missedRecovery>

/**
 * Devices recovered, or (`steady`) stopped flapping. `left`: devices of the same notification that are still down, and
 * that were down when last seen.
 */
const recovered = z.object({
  kind: z.literal('recovered'),
  ...scope,
  steady: z.boolean(),
  left: z.object({ down: count, unseen: count }),
  missed: missedRecovery.nullable(),
})
/** Devices that the service no longer lists. */
const unlisted = z.object({ kind: z.literal('unlisted'), ...scope })

/**
 * `tenants`: some of them, with `partial` for a part of one. `count`: the number of all. `all`: it is every tenant, of
 * more than one.
 */
const monitoringLost = z.object({
  kind: z.literal('monitoring-lost'),
  tenants: z.array(z.object({ name: z.string(), partial: z.boolean() })),
  count,
  all: z.boolean(),
  since: at,
})

/**
 * `all`, `open`: numbers of incidents meanwhile, and of those still open. `beside`: devices that went down outside
 * these incidents. `behind`: the sync is not complete.
 */
const monitoringRestored = z.object({
  kind: z.literal('monitoring-restored'),
  tenants: names,
  count,
  all: count,
  open: count,
  beside: count,
  behind: z.boolean(),
})
/** Incidents found after an absence of Muster, and how many of them are open. */
const absence = z.object({ kind: z.literal('absence'), all: count, open: count })
/** Many incidents that began at the same time, with the numbers of their devices. */
const storm = z.object({ kind: z.literal('storm'), offline: count, flapping: count, where })
/** Numbers of devices whose notifications a pause suppressed. `still…`: notified before, and again after a snooze. */
const pause = z.object({
  kind: z.literal('pause'),
  offline: count,
  back: count,
  stillOffline: count,
  stillFlapping: count,
})

/**
 * The end of a maintenance window, in numbers of devices. `still`: names of some that did not recover, of `stillCount`.
 * `unseen`: down when last seen. `missed`: the window ended at `endedAt` while monitoring was lost, and `count` devices
 * went down in a span that may be in it or after it.
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
/** A message of which only the title is shown. */
export const headline = z.discriminatedUnion('kind', [...single, monitoringRestored, absence, storm, pause])
export type Headline = z.infer<typeof headline>

/** A message that sums up others: the first of them, and their number. */
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

/** An empty message. */
export const noMessage: MessageOf<'text'> = { kind: 'text', title: [], body: [] }

/**
 * The details of an entry of an incident's history. `devices`, `added`, `unlisted`: a number of devices. `message`: the
 * notification. `kept`, `over`: a maintenance window suppressed it, or ended. `place`, `several`: its new location.
 * `partOf`: the incident that absorbed it. `elsewhere`, `otherTenants`: number of devices that were split off, because
 * they moved to another place or belong to other tenants. `until`: the end of a snooze; null for recovery. `reason`:
 * the operator's own. `reopened`, `grown`: why an acknowledgement ended.
 */
export const eventDetail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.enum(['devices', 'added', 'unlisted', 'elsewhere', 'otherTenants']), count }),
  z.object({ kind: z.literal('message'), message: headline }),
  z.object({ kind: z.enum(['kept', 'over']), window: z.string() }),
  z.object({ kind: z.enum(['place', 'partOf']), where }),
  z.object({ kind: z.enum(['several', 'reopened', 'grown']) }),
  z.object({ kind: z.literal('until'), until: at.nullable(), by: z.string().optional() }),
  z.object({ kind: z.literal('reason'), reason: z.string(), by: z.string().optional() }),
  z.object({ kind: z.literal('assignee'), to: z.string(), by: z.string() }),
  z.object({ kind: z.literal('text'), text: parts }),
])
export type EventDetail = z.infer<typeof eventDetail>
