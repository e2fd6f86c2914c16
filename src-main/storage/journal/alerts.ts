import type { DeliveriesIn, StoredDeliveryRow } from './deliveries.ts'
import type { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { inTransaction } from '../database.ts'
import type { Erasures } from './erasures.ts'
import { type Incidents, incidentsIn, type IncidentsDelta, type StoredIncident } from './incidents.ts'
import { fromJson, textsOf, toJson } from './json.ts'
import type { Policies, StoredAction } from './policies.ts'
import { parsed } from './views.ts'

/** The state of alerts and incidents that survives a restart (design, section 8), so that each is notified once. */
export interface StoredAlerts {
  /**
   * Transitions that were not evaluated yet: the last one of each device, written together with the transition itself.
   */
  outbox: StoredTransition[]
  drops: StoredDrop[]
  /** Open incidents, and those with an unreported recovery. */
  incidents: StoredIncident[]
  /**
   * Transitions since the requested `since`, oldest first, without those of expected reboots: flapping is calculated
   * from them.
   */
  recent: { key: string; at: number }[]
  /** Maintenance windows in which something was suppressed, as stored. */
  maintenance: unknown
  notifications: StoredNotification[]
  monitoringLosses: StoredMonitoringLoss[]
  /** Spans of lost monitoring without an end, the oldest first. */
  unseen: { tenant: string; from: number }[]
  pause: { since: number; until: number } | null
}

export interface StoredTransition {
  key: string
  at: number
  notBefore: number | null
  connected: boolean
}

/** A device that is down: pending until it is in an incident, and stored until its recovery is reported. */
export interface StoredDrop {
  key: string
  at: number
  notBefore: number | null
  /** Null while it is pending. */
  incident: string | null
  /** True when its drop was notified. */
  notified: boolean
  /** When it recovered, while that is unreported; `recoveryConfirmed`: it stayed online for the hold-off. */
  recoveredAt: number | null
  /** Start of the span in which it recovered; null when the recovery was observed. */
  recoveredNotBefore: number | null
  recoveryConfirmed: boolean
  flapping: boolean
  /** The reboot that explains it, as stored; readers check it. Null for none. */
  expected: unknown
  /** Id of an earlier incident of the device whose recovery is not notified; null for none. */
  pendingRecovery: string | null
}

export interface StoredNotification {
  id: string
  at: number
  /** Keys of the named tenants, each with a `/` at its end, and of the named devices: they are erased together. */
  about: string[]
  /** As stored; readers check it. */
  value: unknown
}

/** A tenant whose lost monitoring was notified. */
export interface StoredMonitoringLoss {
  tenant: string
  since: number
  notificationId: string
}

/** The changes of one transaction. */
export interface AlertsDelta extends IncidentsDelta {
  /** Transitions that were evaluated: removes the devices' outbox entries up to then. */
  taken: { key: string; at: number }[]
  drops: { put: StoredDrop[]; gone: string[] }
  notifications: { put: StoredNotification[]; gone: string[] }
  monitoringLosses: { put: StoredMonitoringLoss[]; gone: string[] }
  /** Transitions of expected reboots, which `recent` leaves out; left out for none. */
  uncounted?: { key: string; at: number }[]
  /** Messages to channels that the change leads to; left out for none. */
  deliveries?: readonly StoredDeliveryRow[]
  /** Left out: both stay unchanged. */
  maintenance?: unknown
  pause?: StoredAlerts['pause']
  /** The operator's action that made the change, with the state to undo it. */
  action?: StoredAction
  /** Number of the action that the change undoes. */
  undone?: number
  /** Id of the request of a team's member that the change answers. */
  ask?: string
  /** Number of the last row of the team's log in what the change was made of; left out without a team. */
  after?: number
}

export interface Alerts {
  /** Returns the stored alerts; `since`: first moment of the wanted transitions, ms. */
  read(since: number): StoredAlerts
  /**
   * Writes a delta in one transaction, on disk when this returns. Returns the number of its action, 0 when it has none.
   * A delta without an action may be written twice. Throws a fault of kind `erased` where the team has erased something since
   * `after`: the delta may name it.
   */
  save(delta: AlertsDelta): number
  /** Adds a transition to the outbox; called inside the transaction that enters it. */
  enter(transition: StoredTransition): void
  readonly incidents: Omit<Incidents, 'read' | 'save'>
}

/** How long transitions of expected reboots are kept (ms): no period of flapping is longer. */
const uncountedMs = 24 * 60 * 60_000

export function alertsIn(
  db: DatabaseSync,
  {
    policies,
    deliveries,
    erasures,
  }: {
    policies: Pick<Policies, 'record' | 'undone'>
    deliveries: Pick<DeliveriesIn, 'add'>
    erasures: Pick<Erasures, 'last'>
  },
): Alerts {
  const sql = prepare(db)
  const incidents = incidentsIn(db)
  return {
    read: (since) => ({ ...read(sql, since), incidents: incidents.read() }),
    save: (delta) =>
      inTransaction(db, () => {
        if (delta.after !== undefined && delta.after < erasures.last()) throw new FaultError('erased')
        save(sql, delta)
        incidents.save(delta)
        deliveries.add(delta.deliveries ?? [])
        if (delta.undone !== undefined) policies.undone(delta.undone)
        return delta.action === undefined ? 0 : policies.record(delta.action)
      }),
    enter: ({ key, at, notBefore, connected }) => void sql.enter.run(key, at, notBefore, Number(connected)),
    incidents,
  }
}

function prepare(db: DatabaseSync) {
  return {
    outbox: db.prepare('SELECT key, at, not_before, connected FROM outbox ORDER BY at, key'),
    unseen: db.prepare('SELECT tenant, since FROM unseen WHERE until IS NULL ORDER BY since'),
    enter: db.prepare(`INSERT INTO outbox VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
      at = excluded.at, not_before = excluded.not_before, connected = excluded.connected`),
    take: db.prepare('DELETE FROM outbox WHERE key = ? AND at <= ?'),
    recent: db.prepare(`SELECT key, at FROM transition WHERE at >= ? AND not_before IS NULL
      AND NOT EXISTS (SELECT 1 FROM expected_transition AS one WHERE one.key = transition.key AND one.at = transition.at)
      ORDER BY at, id`),
    dropped: db.prepare(
      'SELECT key, at, not_before, incident, notified, recovered_at, recovered_not_before, recovery_confirmed, flapping, expected, pending_recovery FROM dropped',
    ),
    putDropped:
      db.prepare(`INSERT OR REPLACE INTO dropped (key, at, not_before, incident, notified, recovered_at, recovered_not_before, recovery_confirmed, flapping, expected, pending_recovery)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    putUncounted: db.prepare('INSERT OR IGNORE INTO expected_transition VALUES (?, ?)'),
    dropUncounted: db.prepare('DELETE FROM expected_transition WHERE at < ?'),
    dropDropped: db.prepare('DELETE FROM dropped WHERE key = ?'),
    notifications: db.prepare('SELECT id, at, about, text FROM notification ORDER BY at DESC, id'),
    putNotification: db.prepare('INSERT OR REPLACE INTO notification VALUES (?, ?, ?, ?)'),
    dropNotification: db.prepare('DELETE FROM notification WHERE id = ?'),
    monitoringLosses: db.prepare('SELECT tenant, since, notification FROM monitoring_loss'),
    putMonitoringLoss: db.prepare('INSERT OR REPLACE INTO monitoring_loss VALUES (?, ?, ?)'),
    dropMonitoringLoss: db.prepare('DELETE FROM monitoring_loss WHERE tenant = ?'),
    maintenance: db.prepare('SELECT text FROM maintenance'),
    putMaintenance: db.prepare('INSERT OR REPLACE INTO maintenance (only, text) VALUES (1, ?)'),
    pause: db.prepare('SELECT since, until FROM pause'),
    putPause: db.prepare('INSERT OR REPLACE INTO pause VALUES (1, ?, ?)'),
    dropPause: db.prepare('DELETE FROM pause'),
  }
}

type Statements = ReturnType<typeof prepare>
type Row = Record<string, unknown>

function read(sql: Statements, since: number): Omit<StoredAlerts, 'incidents'> {
  const pause = sql.pause.get()
  return {
    outbox: sql.outbox.all().map((row) => ({ ...startOf(row), connected: row['connected'] === 1 })),
    drops: sql.dropped.all().map(dropOf),
    unseen: sql.unseen.all().map(({ tenant, since }) => ({ tenant: String(tenant), from: Number(since) })),
    recent: sql.recent.all(since).map((row) => ({ key: String(row['key']), at: Number(row['at']) })),
    maintenance: fromJson(sql.maintenance.get()?.['text'] ?? null),
    notifications: sql.notifications.all().map(notificationOf),
    monitoringLosses: sql.monitoringLosses.all().map((row) => ({
      tenant: String(row['tenant']),
      since: Number(row['since']),
      notificationId: String(row['notification']),
    })),
    pause: pause ? { since: Number(pause['since']), until: Number(pause['until']) } : null,
  }
}

function save(
  sql: Statements,
  { taken, drops, notifications, monitoringLosses, uncounted = [], maintenance, pause }: AlertsDelta,
): void {
  for (const { key, at } of taken) sql.take.run(key, at)
  for (const key of drops.gone) sql.dropDropped.run(key)
  for (const drop of drops.put) putDrop(sql, drop)
  for (const id of notifications.gone) sql.dropNotification.run(id)
  for (const { id, at, about, value } of notifications.put)
    sql.putNotification.run(id, at, JSON.stringify(about), toJson(value))
  for (const tenant of monitoringLosses.gone) sql.dropMonitoringLoss.run(tenant)
  for (const { tenant, since, notificationId } of monitoringLosses.put)
    sql.putMonitoringLoss.run(tenant, since, notificationId)
  for (const { key, at } of uncounted) {
    sql.putUncounted.run(key, at)
    sql.dropUncounted.run(at - uncountedMs)
  }
  if (maintenance !== undefined) sql.putMaintenance.run(toJson(maintenance))
  if (pause === null) sql.dropPause.run()
  else if (pause !== undefined) sql.putPause.run(pause.since, pause.until)
}

function putDrop(
  sql: Statements,
  {
    key,
    at,
    notBefore,
    incident,
    notified,
    recoveredAt,
    recoveredNotBefore,
    recoveryConfirmed,
    flapping,
    expected,
    pendingRecovery,
  }: StoredDrop,
): void {
  sql.putDropped.run(
    key,
    at,
    notBefore,
    incident,
    Number(notified),
    recoveredAt,
    recoveredNotBefore,
    Number(recoveryConfirmed),
    Number(flapping),
    expected === null ? null : toJson(expected),
    pendingRecovery,
  )
}

const startOf = (row: Row) => ({ key: String(row['key']), at: Number(row['at']), notBefore: time(row['not_before']) })

function dropOf(row: Row): StoredDrop {
  return {
    ...startOf(row),
    incident: text(row['incident']),
    notified: row['notified'] === 1,
    recoveredAt: time(row['recovered_at']),
    recoveredNotBefore: time(row['recovered_not_before']),
    recoveryConfirmed: row['recovery_confirmed'] === 1,
    flapping: row['flapping'] === 1,
    expected: row['expected'] === null ? null : fromJson(row['expected']),
    pendingRecovery: text(row['pending_recovery']),
  }
}

function notificationOf(row: Row): StoredNotification {
  return { id: String(row['id']), at: Number(row['at']), about: textsOf(row['about']), value: parsed(row['text']) }
}

const time = (value: unknown) => (typeof value === 'number' ? value : null)
const text = (value: unknown) => (typeof value === 'string' ? value : null)
