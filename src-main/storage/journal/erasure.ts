import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { jobErasureIn, type KeyRange } from './jobs/erasure.ts'
import { deliveriesIn } from './deliveries.ts'
import { firmwareChangesIn } from './firmware-changes.ts'
import { fromJson, textsOf, toJson } from './json.ts'
import { handoverErasureIn } from './shift-handovers.ts'

/**
 * Erases everything but transitions of all devices whose key begins with one of `prefixes`, and of these `keys`: drops, firmware,
 * notifications, messages to channels, incidents, spans of lost monitoring, policies, notes, actions, jobs, and the shift handovers that may name them. A prefix is a tenant's key with a `/` at
 * its end.
 */
export type Erase = (prefixes: string[], keys: string[]) => void

/** Returns the erasure, which is called inside a transaction. */
export function erasureIn(db: DatabaseSync): Erase {
  const sql = prepare(db)
  const eraseOwn = ownErasureIn(db)
  const eraseJobs = jobErasureIn(db)
  const firmware = firmwareChangesIn(db)
  const deliveries = deliveriesIn(db)
  const eraseHandovers = handoverErasureIn(db)
  return (prefixes, keys) => {
    const ranges: KeyRange[] = [
      ...prefixes.map((prefix) => ({ from: prefix, before: belowPrefix(prefix) })),
      ...keys.map((key) => ({ from: key, before: `${key}\0` })),
    ]
    const scope = scopeOf(prefixes, keys)
    for (const { from, before } of ranges) {
      sql.outbox.run(from, before)
      sql.dropped.run(from, before)
      sql.uncounted.run(from, before)
      firmware.erase(from, before)
    }
    forgetNotifications(sql, scope)
    deliveries.erase(scope.within)
    const gone = forgetIncidents(sql, scope, ranges)
    forgetPolicies(sql, scope, gone)
    for (const { node } of sql.notes.all()) if (mentions(String(node), scope)) sql.dropNote.run(String(node))
    eraseOwn(scope)
    eraseJobs(ranges, scope.within)
    eraseHandovers(new Set([...prefixes, ...keys].map(tenantOf)))
  }
}

/** Returns what erases comparisons, and acts that wait, about something; in a team each member has its own. */
function ownErasureIn(db: DatabaseSync): (scope: Scope) => void {
  const comparisons = db.prepare('SELECT id, text FROM comparison')
  const dropComparison = db.prepare('DELETE FROM comparison WHERE id = ?')
  const acts = db.prepare('SELECT id, call, text FROM pending_act')
  const changeAct = db.prepare('UPDATE pending_act SET text = ? WHERE id = ?')
  const dropAct = db.prepare('DELETE FROM pending_act WHERE id = ?')
  return (scope) => {
    for (const { id, text } of comparisons.all()) if (mentions(String(text), scope)) dropComparison.run(String(id))
    for (const { id, call, text } of acts.all()) {
      const left = actWithout(String(call), fromJson(text), scope)
      if (left === null) dropAct.run(String(id))
      else if (toJson(left) !== text) changeAct.run(toJson(left), String(id))
    }
  }
}

const kept = {
  saveNote: z.object({ node: z.string() }),
  tag: z.looseObject({ keys: z.array(z.string()) }),
  setTags: z.looseObject({ devices: z.array(z.looseObject({ key: z.string() })) }),
}

/** Returns the input of an act without the devices and places that are erased; null where nothing is left. Views and operations stay. */
function actWithout(call: string, input: unknown, scope: Scope): unknown {
  const isLeft = (key: string) => !mentions(key, scope)
  if (call === 'saveNote') {
    const { data } = kept.saveNote.safeParse(input)
    return data !== undefined && isLeft(data.node) ? input : null
  }
  if (call === 'tag') {
    const { data } = kept.tag.safeParse(input)
    const keys = data?.keys.filter(isLeft) ?? []
    return keys.length === 0 ? null : { ...data, keys }
  }
  if (call === 'setTags') {
    const { data } = kept.setTags.safeParse(input)
    const devices = data?.devices.filter(({ key }) => isLeft(key)) ?? []
    return devices.length === 0 ? null : { ...data, devices }
  }
  return input
}

/** Returns what erases those of some devices (keys), and of all whose key begins with one of the prefixes, inside a transaction. */
export function ownOfDevicesErasureIn(
  db: DatabaseSync,
): (prefixes: readonly string[], devices: readonly string[]) => void {
  const erase = ownErasureIn(db)
  return (prefixes, devices) => erase(scopeOf(prefixes, devices))
}

function scopeOf(prefixes: readonly string[], keys: readonly string[]): Scope {
  const named = new Set(keys)
  return { within: (key) => named.has(key) || prefixes.some((prefix) => key.startsWith(prefix)) }
}

/** Returns the key of the tenant of a device or place (inventory/keys.ts). */
const tenantOf = (key: string) => key.split('/').slice(0, 2).join('/')

/** Returns the end of the key range below a prefix: keys are ASCII (inventory/keys.ts), so they lie below U+10FFFF. */
export const belowPrefix = (prefix: string) => `${prefix}\u{10FFFF}`

interface Scope {
  within(key: string): boolean
}

function prepare(db: DatabaseSync) {
  return {
    outbox: db.prepare('DELETE FROM outbox WHERE key >= ? AND key < ?'),
    dropped: db.prepare('DELETE FROM dropped WHERE key >= ? AND key < ?'),
    uncounted: db.prepare('DELETE FROM expected_transition WHERE key >= ? AND key < ?'),
    notifications: db.prepare('SELECT id, about FROM notification'),
    dropNotification: db.prepare('DELETE FROM notification WHERE id = ?'),
    monitoringLosses: db.prepare('SELECT tenant FROM monitoring_loss'),
    dropMonitoringLoss: db.prepare('DELETE FROM monitoring_loss WHERE tenant = ?'),
    unseen: db.prepare('SELECT DISTINCT tenant FROM unseen'),
    dropUnseen: db.prepare('DELETE FROM unseen WHERE tenant = ?'),
    incidents: db.prepare('SELECT id, subject, about FROM incident'),
    dropIncident: db.prepare('DELETE FROM incident WHERE id = ?'),
    membersIn: db.prepare('SELECT incident, key, name FROM member WHERE key >= ? AND key < ?'),
    anyMember: db.prepare('SELECT 1 FROM member WHERE incident = ? LIMIT 1'),
    texts:
      db.prepare(`SELECT search_text AS text FROM incident WHERE id = :id UNION ALL SELECT text FROM incident WHERE id = :id
      UNION ALL SELECT detail FROM event WHERE incident = :id`),
    dropMembersIn: db.prepare('DELETE FROM member WHERE key >= ? AND key < ?'),
    dropMembers: db.prepare('DELETE FROM member WHERE incident = ?'),
    dropEvents: db.prepare('DELETE FROM event WHERE incident = ?'),
    notes: db.prepare('SELECT node FROM note'),
    dropNote: db.prepare('DELETE FROM note WHERE node = ?'),
    policies: db.prepare('SELECT kind, id, text FROM policy'),
    dropPolicy: db.prepare('DELETE FROM policy WHERE kind = ? AND id = ?'),
    actions: db.prepare('SELECT id, text FROM action'),
    dropAction: db.prepare('DELETE FROM action WHERE id = ?'),
    maintenance: db.prepare('SELECT text FROM maintenance'),
    putMaintenance: db.prepare('UPDATE maintenance SET text = ?'),
  }
}

type Statements = ReturnType<typeof prepare>
type Row = Record<string, unknown>

function forgetNotifications(sql: Statements, { within }: Scope): void {
  for (const { id, about } of sql.notifications.all())
    if (textsOf(about).some(within)) sql.dropNotification.run(String(id))
  for (const { tenant } of sql.monitoringLosses.all())
    if (within(`${String(tenant)}/`)) sql.dropMonitoringLoss.run(String(tenant))
  for (const { tenant } of sql.unseen.all()) if (within(`${String(tenant)}/`)) sql.dropUnseen.run(String(tenant))
}

/** Returns the ids of the erased incidents. */
function forgetIncidents(sql: Statements, scope: Scope, ranges: readonly KeyRange[]): Set<string> {
  const gone = new Set(
    sql.incidents
      .all()
      .filter((row) => isAbout(row, scope))
      .map(({ id }) => String(id)),
  )
  const touched = new Set<string>()
  for (const { from, before } of ranges) {
    for (const row of sql.membersIn.all(from, before)) {
      const id = String(row['incident'])
      touched.add(id)
      if (!gone.has(id) && namesErased(sql, id, row, scope)) gone.add(id)
    }
    sql.dropMembersIn.run(from, before)
  }
  for (const id of touched) if (!sql.anyMember.get(id)) gone.add(id)
  for (const id of gone) {
    sql.dropMembers.run(id)
    sql.dropEvents.run(id)
    sql.dropIncident.run(id)
  }
  return gone
}

const isAbout = ({ about, subject }: Row, scope: Scope) =>
  textsOf(about).some(scope.within) || mentions(String(subject), scope)

/** Returns whether the texts of an incident name one of its devices that is erased. */
function namesErased(sql: Statements, id: string, member: Row, scope: Scope): boolean {
  const name = String(member['name'])
  const inJson = JSON.stringify(name).slice(1, -1)
  return sql.texts
    .all({ id })
    .map(({ text }) => String(text))
    .some((text) => (name !== '' && (text.includes(name) || text.includes(inJson))) || mentions(text, scope))
}

function forgetPolicies(sql: Statements, scope: Scope, incidents: ReadonlySet<string>): void {
  for (const { kind, id, text } of sql.policies.all()) {
    if (mentions(String(id), scope) || mentions(String(text), scope)) sql.dropPolicy.run(String(kind), String(id))
  }
  const incidentIds = [...incidents].map((id) => JSON.stringify(id))
  for (const row of sql.actions.all()) {
    const text = String(row['text'])
    if (mentions(text, scope) || incidentIds.some((id) => text.includes(id))) sql.dropAction.run(Number(row['id']))
  }
  const maintenance = sql.maintenance.get()
  if (maintenance && mentions(String(maintenance['text']), scope))
    sql.putMaintenance.run(toJson(without(fromJson(maintenance['text']), scope)))
}

/** Returns a stored value without the entries that name erased devices or places. */
function without(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.filter((entry) => !mentions(toJson(entry), scope))
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).filter((entry) => !mentions(toJson(entry), scope)))
}

/**
 * Returns whether a text contains the key of an erased device or place, as it is or behind the letter of a node
 * (inventory/keys.ts).
 */
function mentions(text: string, { within }: Scope): boolean {
  return keysIn(text).some((key) => within(key) || within(`${key}/`))
}

/** Returns the keys in a text: parts with a slash between each two. */
const keysIn = (text: string): string[] =>
  (text.match(/[\w.~%!*'()=/-]+/gu) ?? [])
    .flatMap((run) => run.split(/\/{2,}/u))
    .map((key) => key.slice(Number(key.startsWith('/')), key.endsWith('/') ? -1 : undefined))
    .filter((key) => key.includes('/'))
