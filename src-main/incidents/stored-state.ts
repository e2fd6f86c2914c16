import { z } from 'zod'
import type {
  AlertsDelta,
  StoredAlerts,
  StoredMonitoringLoss,
  StoredDrop,
  StoredNotification,
} from '../storage/journal/alerts.ts'
import type { StoredIncident, StoredUnseen } from '../storage/journal/incidents.ts'
import { acknowledgement, severity, snooze } from '../../src-shared/model/incidents.ts'
import { nodeKind, told, type Told } from '../../src-shared/model/inventory.ts'
import type { MaintenanceRun } from './engine/maintenance-report.ts'
import {
  noUnlisted,
  type Blind,
  type Drop,
  type Incident,
  type Notes,
  type State,
  type Notification,
} from './engine/state.ts'

const words = told
  .pick({ title: true, body: true, moments: true })
  .transform(({ moments, ...rest }) => ({ ...rest, moments: moments ?? [] }))
const place = z.object({ id: z.string(), kind: nodeKind, name: z.string(), placeless: z.boolean() })
const named = z.array(z.object({ key: z.string(), name: z.string() }))
const shape = z.enum(['device', 'node', 'several'])
const extent = z.object({
  shape,
  path: z.array(place),
  where: z.string(),
  context: z.string(),
  named,
  since: z.number().nullable(),
  foundAt: z.number().nullable().catch(null),
  peak: z.number(),
  most: z.number().catch(0),
  total: z.number().nullable(),
  severity,
  words,
})
const reason = z.object({
  at: z.number(),
  as: z.enum(['alone', 'again', 'storm', 'away', 'sighted', 'report', 'pause']),
  figures: z.object({
    holdOffMs: z.number(),
    least: z.number(),
    share: z.number(),
    flaps: z.number(),
    flapMs: z.number(),
  }),
  shape: shape.nullable().catch(null),
  laidFor: z.string(),
  marked: z.number(),
  through: z.string(),
  shown: z.boolean().nullable(),
})
const keptIncident = z.object({
  id: z.string(),
  kind: z.enum(['outage', 'flapping']),
  shape,
  why: z.enum(['now', 'absence']),
  path: z.array(place),
  where: z.string(),
  context: z.string(),
  named,
  since: z.number().nullable(),
  foundAt: z.number().nullable().catch(null),
  openedAt: z.number(),
  grewAt: z.number(),
  changedAt: z.number(),
  closedAt: z.number().nullable(),
  lastBack: z.object({ from: z.number(), at: z.number() }).nullable().catch(null),
  down: z.number(),
  unseen: z.number(),
  peak: z.number(),
  also: z.number().catch(0),
  most: z.number().catch(0),
  total: z.number().nullable(),
  largest: extent.nullable().catch(null),
  marked: z.number(),
  severity,
  about: z.array(z.string()),
  acknowledged: acknowledgement.nullable(),
  snoozed: snooze.nullable(),
  again: z.boolean().catch(false),
  quiet: z.object({ id: z.string(), name: z.string() }).nullable(),
  keptIn: z.string().catch(''),
  through: z.string().catch(''),
  mute: z.boolean(),
  parted: z.object({ id: z.string(), where: z.string() }).nullable().catch(null),
  toldAt: z.number().nullable(),
  backToldAt: z.number().nullable(),
  telling: reason.nullable().catch(null),
  backs: z.array(z.string()),
  unsaid: z.array(z.string()).catch([]),
  unlisted: z
    .object({ count: z.number(), named: z.array(z.string()), untold: z.number() })
    .catch({ count: 0, named: [], untold: 0 }),
  words,
  open: told.shape.open,
})
const keptTelling = z.object({
  told,
  // What was kept before incidents were has none of these, and an object where `open` is.
  of: z.array(z.string()).catch([]),
  lead: z.enum(['blind', 'sighted', 'away', 'storm', 'none']).catch('none'),
  firstAt: z.number().catch(0),
  open: z.boolean().catch(false),
  earlier: z.array(told.pick({ at: true, title: true, body: true, moments: true })).catch([]),
  times: z.int().catch(1),
})
const keys = z.array(z.string())
const keptHeld = z.object({
  id: z.string(),
  name: z.string(),
  node: z.string(),
  until: z.number(),
  overAt: z.number().nullable(),
  keys,
  hidden: z.object({ keys, from: z.number(), until: z.number(), sureAt: z.number() }).nullable().catch(null),
})
/** They lie beside what is held: one list, whose entries are forgotten one by one with what they name. */
const keptReport = z.object({
  report: z.object({ id: z.string(), name: z.string(), at: z.number(), words, about: keys }),
})
const entriesOf = (stored: unknown): unknown[] => (Array.isArray(stored) ? stored : [])

/** An incident as it was kept; null when it cannot be read. */
export function incidentOf({ value }: Pick<StoredIncident, 'value'>): Incident | null {
  const read = keptIncident.safeParse(value)
  return read.success ? read.data : null
}

/** The state as it was kept. What cannot be read of it is left out: it is not told again for that. */
export function stateOf(stored: StoredAlerts, now: number): State {
  const tellings = new Map(
    stored.tellings.flatMap(({ id, about, value }): [string, Notification][] => {
      const read = keptTelling.safeParse(value)
      return read.success ? [[id, { ...read.data, about }]] : []
    }),
  )
  const incidents = new Map(
    stored.incidents.flatMap((one): [string, Incident][] => {
      const incident = incidentOf(one)
      return incident === null ? [] : [[one.id, incident]]
    }),
  )
  for (const { incident: id } of stored.drops) {
    const telling = id === null || incidents.has(id) ? undefined : tellings.get(id)
    if (id !== null && !incidents.has(id)) incidents.set(id, ofTelling(id, telling?.told ?? null, now))
  }
  return {
    drops: new Map(
      stored.drops.map((drop) => [
        drop.key,
        { ...drop, figures: null, waitUntil: 0, again: false, owed: null, went: null },
      ]),
    ),
    flaps: flapsOf(stored),
    incidents,
    tellings,
    // What had no end when Muster ended goes on; what was told of it, as it was told.
    blind: new Map(
      [...stored.unseen.map(({ tenant, from }) => ({ tenant, since: from, telling: null })), ...stored.blind].map(
        ({ tenant, since, telling }) => [
          tenant,
          { tenant, name: '', since, outAt: since, noticedAt: now, telling, sightedAt: null, waitUntil: 0 },
        ],
      ),
    ),
    outs: new Map(stored.unseen.map(({ tenant }) => [tenant, now])),
    held: new Map(
      entriesOf(stored.held).flatMap((entry): [string, MaintenanceRun][] => {
        const { data } = keptHeld.safeParse(entry)
        return data === undefined ? [] : [[data.id, data]]
      }),
    ),
    reports: entriesOf(stored.held).flatMap((entry) => keptReport.safeParse(entry).data?.report ?? []),
    pause: stored.pause,
    waits: null,
  }
}

/** Before incidents were kept, what was told stood for them: its devices are known, and the rest is reckoned from these. */
function ofTelling(id: string, before: Told | null, now: number): Incident {
  const at = before?.at ?? now
  return {
    id,
    kind: 'outage',
    shape: 'several',
    why: 'now',
    path: [],
    where: '',
    context: '',
    named: [],
    since: null,
    foundAt: null,
    openedAt: at,
    grewAt: at,
    changedAt: at,
    closedAt: null,
    lastBack: null,
    down: 0,
    unseen: 0,
    peak: 0,
    also: 0,
    most: 0,
    total: null,
    largest: null,
    marked: 0,
    severity: 'minor',
    about: [],
    acknowledged: null,
    snoozed: null,
    again: false,
    quiet: null,
    keptIn: '',
    through: '',
    parted: null,
    mute: false,
    toldAt: at,
    backToldAt: null,
    telling: null,
    backs: [],
    unsaid: [],
    unlisted: noUnlisted,
    words: { title: before?.title ?? '', body: before?.body ?? '', moments: before?.moments ?? [] },
    open: before?.open ?? { scope: 'all', filter: '', device: null },
  }
}

/** What nobody has weighed yet is heard after this, and counted then. */
function flapsOf({ recent, fresh }: StoredAlerts): State['flaps'] {
  const flaps = new Map<string, { times: number[]; figures: null }>()
  const unheard = new Set(fresh.map(({ key, at }) => `${key} ${at}`))
  for (const { key, at } of recent)
    if (!unheard.has(`${key} ${at}`)) flaps.set(key, { times: [...(flaps.get(key)?.times ?? []), at], figures: null })
  return flaps
}

/** What changed between two states, as the journal keeps it; null when nothing did. */
export function deltaOf(before: State, after: State, notes: Notes, now: number): Omit<AlertsDelta, 'taken'> | null {
  const drops = changed(before.drops, after.drops, storedDrop, sameDrop)
  const tellings = changed(before.tellings, after.tellings, storedTelling, (one, other) => one === other)
  const blind = changed(
    toldBlind(before),
    toldBlind(after),
    storedBlind,
    (one, other) => one.telling === other.telling && one.since === other.since,
  )
  const incidents = [
    ...notes.closed.map((one) => storedIncident(one)),
    ...[...after.incidents.values()]
      .filter((one) => before.incidents.get(one.id) !== one)
      .map((one) => storedIncident(one, one.closedAt !== null)),
  ]
  const unseen = unseenIn(before.blind, after.blind, now)
  const pause =
    before.pause?.since === after.pause?.since && before.pause?.until === after.pause?.until
      ? {}
      : { pause: after.pause }
  const held =
    before.reports === after.reports && (before.held === after.held || sameHeld(before.held, after.held))
      ? {}
      : { held: [...after.held.values(), ...after.reports.map((report) => ({ report }))] }
  const parts = [
    ...[drops, tellings, blind].map(({ put, gone }) => put.length + gone.length),
    incidents.length,
    unseen.length,
    notes.members.length,
    notes.events.length,
  ]
  if (parts.every((count) => count === 0) && !('pause' in pause) && !('held' in held)) return null
  return { drops, tellings, blind, incidents, unseen, members: notes.members, events: notes.events, ...held, ...pause }
}

function changed<T, S>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  stored: (value: T, key: string) => S,
  same: (one: T, other: T) => boolean,
): { put: S[]; gone: string[] } {
  if (before === after) return { put: [], gone: [] }
  const put = [...after].flatMap(([key, value]) => {
    const known = before.get(key)
    return known !== undefined && (known === value || same(known, value)) ? [] : [stored(value, key)]
  })
  return { put, gone: [...before.keys()].filter((key) => !after.has(key)) }
}

const sameHeld = (one: ReadonlyMap<string, MaintenanceRun>, other: ReadonlyMap<string, MaintenanceRun>) =>
  one.size === other.size && [...one].every(([id, held]) => other.get(id) === held)
const toldBlind = ({ blind }: State) => new Map([...blind].filter(([, { telling }]) => telling !== null))

const storedDrop = ({
  key,
  at,
  notBefore,
  incident,
  told,
  backAt,
  backNotBefore,
  returned,
  flapping,
}: Drop): StoredDrop => ({ key, at, notBefore, incident, told, backAt, backNotBefore, returned, flapping })
const dropFields = ['at', 'notBefore', 'incident', 'told', 'backAt', 'backNotBefore', 'returned', 'flapping'] as const
const sameDrop = (one: Drop, other: Drop) => dropFields.every((field) => one[field] === other[field])
const storedTelling = ({ about, ...value }: Notification, id: string): StoredNotification => ({
  id,
  at: value.told.at,
  about: [...about],
  value,
})
const storedBlind = ({ tenant, since, telling }: Blind): StoredMonitoringLoss => ({
  tenant,
  since,
  telling: telling ?? '',
})

/** What is over is kept as it was at its largest. `untold`: it is over, and something of it is still to be told. */
export function storedIncident(standing: Incident, untold = false): StoredIncident {
  const incident =
    standing.closedAt === null || standing.largest === null ? standing : { ...standing, ...standing.largest }
  const {
    id,
    kind,
    openedAt,
    closedAt,
    about,
    words: { title, body },
  } = incident
  return {
    id,
    subject: subjectOf(incident),
    kind,
    openedAt,
    closedAt,
    untold,
    about: [...about],
    words: `${title}\n${body}`,
    value: incident,
  }
}

/** What the same trouble comes back under: its place, or its one device; '' where no place explains it. */
export function subjectOf({ shape, path, named }: Incident): string {
  if (shape === 'device') return named[0]?.key ?? ''
  return shape === 'node' ? (path[0]?.id ?? '') : ''
}

/** Times out of sight: those that begin, and those that end. */
function unseenIn(before: State['blind'], after: State['blind'], now: number): StoredUnseen[] {
  const isBlind = (one: Blind | undefined): one is Blind => one !== undefined && one.sightedAt === null
  const begun = [...after.values()].filter(
    (one) => isBlind(one) && (!isBlind(before.get(one.tenant)) || before.get(one.tenant)?.outAt !== one.outAt),
  )
  const ended = [...before.values()].filter((one) => isBlind(one) && !isBlind(after.get(one.tenant)))
  return [
    ...begun.map(({ tenant, outAt }) => ({ tenant, from: outAt, until: null })),
    ...ended.map(({ tenant, outAt }) => ({ tenant, from: outAt, until: after.get(tenant)?.sightedAt ?? now })),
  ]
}
