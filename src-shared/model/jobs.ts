import { z } from 'zod'
import { lastMoment } from '../contract/limits.ts'
import { deviceStatus, fault, inventoryQuery, namedRef } from './inventory.ts'

/**
 * Jobs: what Muster does to devices and places on an operator's order (design, invariant 16). A job is one confirmed
 * action on up to `maxTargets` devices, or on one site or room. Times are in ms since the epoch.
 */

/** `update`: names and places of devices together, from a CSV file. */
export const jobKinds = ['reboot', 'rename', 'move', 'update', 'site', 'room'] as const
export const jobKind = z.enum(jobKinds)
export type JobKind = z.infer<typeof jobKind>
/** What the history has: actions, and `mutation`, one that the operator wrote on the query screen. */
export const recordedKinds = [...jobKinds, 'mutation'] as const
export type RecordedKind = (typeof recordedKinds)[number]

/** Largest number of devices of one job. */
export const maxTargets = 5000
/** Largest number of devices for which a click confirms; for more, or a whole site, the number or the name is typed. */
export const maxUnconfirmed = 20
/** Longest name that Muster sends, characters (UTF-16). */
export const maxSentName = 255
/** How long a tenant stays armed after the last use, ms; and without an event for a locked screen, idle, ms. */
export const armedMs = 15 * 60_000
export const armedIdleMs = 5 * 60_000

const id = z.string().min(1).max(1024)
const key = z.string().max(2048)
const newName = z.string().trim().min(1, 'Enter a name.').max(maxSentName)

/** The devices of a job: their keys, or all rows of a query. */
export const targets = z.union([
  z.object({ keys: z.array(key).min(1).max(maxTargets) }),
  z.object({ query: inventoryQuery }),
])
export type Targets = z.infer<typeof targets>

/**
 * An action that an operator asks for. `pattern`: the new name with placeholders `{name}`, `{site}`, `{room}`,
 * `{model}`, `{serial}`, `{id}` and `{n}` (position, from 1; `{n:3}` with three digits). `site` and `room`: ids of the
 * service in the devices' tenant; null: no site, no room. `text` of `update`: CSV with the heads `id` (or `key`), and
 * `name`, `site`, `room`, of which at least one; places by id or by a name that is unique in the tenant; an empty cell
 * changes nothing. A `site` or `room` with `id: null` is created.
 */
export const actionRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reboot'), targets, linkedDevices: z.boolean() }),
  z.object({ kind: z.literal('rename'), targets, pattern: z.string().trim().min(1, 'Enter a name.').max(500) }),
  z.object({ kind: z.literal('move'), targets, site: id.nullable(), room: id.nullable() }),
  z.object({ kind: z.literal('update'), text: z.string().max(4_000_000) }),
  z.object({
    kind: z.literal('site'),
    tenant: key,
    id: id.nullable(),
    account: id.nullable().optional(),
    name: newName,
  }),
  z.object({
    kind: z.literal('room'),
    tenant: key,
    id: id.nullable(),
    site: id.nullable().optional(),
    name: newName,
    capacity: z.int().min(0).max(100_000).nullable().optional(),
    size: z.string().max(40).nullable().optional(),
    floor: z.string().max(100).nullable().optional(),
  }),
])
export type ActionRequest = z.infer<typeof actionRequest>

/**
 * Why an action cannot be done to a device, or is skipped. `offline`, `unknown`: by its status, for a reboot; `unknown`
 * also where an undo could not read it; `in-call`: skipped unless chosen; `unchanged`: it has this name and place;
 * `changed-since`: somebody changed it after the job that is undone; `not-offered`: the service has no such mutation;
 * `role`: the credential set may not; `not-armed`: its tenant is not armed; `paused`: its connection is paused or not
 * live; `gone`: no such device; `duplicate`: an earlier line names it; `ambiguous`: several devices or places fit;
 * `no-place`: the site or room does not exist; `other-tenant`: the place is in another tenant; `too-long`: the new name
 * is too long; `empty`: the new name is empty; `busy`: another job acts on it.
 */
export const obstacles = [
  'offline',
  'unknown',
  'in-call',
  'unchanged',
  'changed-since',
  'not-offered',
  'role',
  'not-armed',
  'paused',
  'gone',
  'duplicate',
  'ambiguous',
  'no-place',
  'other-tenant',
  'too-long',
  'empty',
  'busy',
] as const
export const obstacle = z.enum(obstacles)
export type Obstacle = z.infer<typeof obstacle>

/** Whether a device is in a call: as the service says (`callStatus`), or `unknown`. */
export const callState = z.enum(['in-call', 'free', 'unsupported', 'unknown'])
export type CallState = z.infer<typeof callState>

/** What is changed of a device; a member that is left out stays. */
export const deviceValues = z.object({
  name: z.string().optional(),
  site: namedRef.nullable().optional(),
  room: namedRef.nullable().optional(),
})
export type DeviceValues = z.infer<typeof deviceValues>

/** One device of a sheet, before the job. `line`: its line in the CSV file, from 1 for the heads; null elsewhere. */
export const sheetRow = z.object({
  key: z.string(),
  line: z.number().nullable(),
  name: z.string(),
  tenant: z.object({ key: z.string(), name: z.string() }),
  site: namedRef.nullable(),
  room: namedRef.nullable(),
  status: deviceStatus,
  call: callState,
  before: deviceValues,
  after: deviceValues,
  obstacle: obstacle.nullable(),
})
export type SheetRow = z.infer<typeof sheetRow>

/**
 * The summary of a prepared action. `request`: as given, without the text of an `update`; of `jobs.again` and `jobs.undo` its
 * kind counts, because each row has its own values. `inCall`: devices with this obstacle. `callsUnknown`: ready devices of a
 * reboot of which it is not known whether they are in a call. `points`: null where no cost is known yet. `seconds`: time that sending takes at
 * most, by the balance; null unknown. `confirm`: what the operator types, exactly; null: a click confirms.
 * `endsCalls`: a reboot ends all calls at once. `suppressed`: devices whose disconnect is expected and not alerted.
 */
export const sheet = z.object({
  id: z.string(),
  request: actionRequest,
  tenants: z.array(z.object({ key: z.string(), name: z.string(), armed: z.boolean() })),
  total: z.number(),
  ready: z.number(),
  obstacles: z.array(z.object({ obstacle, devices: z.number() })),
  inCall: z.number(),
  callsUnknown: z.number(),
  points: z.number().nullable(),
  seconds: z.number().nullable(),
  confirm: z.string().nullable(),
  endsCalls: z.boolean(),
  suppressed: z.number(),
  /** Unknown heads of the CSV file, which are ignored. */
  ignored: z.array(z.string()),
})
export type Sheet = z.infer<typeof sheet>

/**
 * How a job runs. `batch`: devices sent together; null: all. After each batch of a reboot Muster waits until its devices
 * are back, at most `waitMinutes` each; the job stops by itself after `stopAfter` devices that did not come back (null:
 * never). `at`: start (null: now). `includeInCall`: devices in a call are not skipped.
 */
export const jobPlan = z.object({
  batch: z.int().min(1).max(maxTargets).nullable(),
  waitMinutes: z.int().min(1).max(120),
  stopAfter: z.int().min(1).max(maxTargets).nullable(),
  at: z.number().min(0).max(lastMoment).nullable(),
  includeInCall: z.boolean(),
})
export type JobPlan = z.infer<typeof jobPlan>

/**
 * State of a job. `scheduled`: it starts at its time. `interrupted`: Muster ended, or the computer slept; it continues
 * only on an operator's order. `stopped`: by the operator or by `stopAfter`. `done`: every device has an outcome.
 */
export const jobState = z.enum(['scheduled', 'running', 'paused', 'interrupted', 'stopped', 'done'])
export type JobState = z.infer<typeof jobState>

/**
 * Outcome of a device. `pending`: not sent yet. `sent`: the answer or the proof is awaited. `done`: proven, or confirmed by the
 * service for an update. `refused`: the service said no (`words`). `not-sent`: skipped or stopped before it was sent (`obstacle`).
 * `unknown`: sent, without an answer that says what came of it; only an operator sends it again. `not-back`: rebooted, and not back in its time.
 */
export const outcomes = ['pending', 'sent', 'done', 'refused', 'not-sent', 'unknown', 'not-back'] as const
export const outcome = z.enum(outcomes)
export type Outcome = z.infer<typeof outcome>

const outcomeCounts = z.object({
  pending: z.number(),
  sent: z.number(),
  done: z.number(),
  refused: z.number(),
  'not-sent': z.number(),
  unknown: z.number(),
  'not-back': z.number(),
})

/**
 * A job as lists show it. A `mutation` is one that the operator wrote: its devices are the root fields of its operation, and its
 * `name` is that of the operation. `undoable`: a rename or move of which at least one device can be undone. `undoes`: the job that
 * it undoes. `device`: the name of its only device, as it was when the job was made; left out where there are several, for
 * a place, and where it cannot be read. `owner`: of another member's job in a team, its operator; left out for one's own.
 * `ownerAway`: whether it can be taken over, because its member was not seen for over ten minutes; left out where it is ended.
 */
export const job = z.object({
  id: z.string(),
  owner: z.string().optional(),
  ownerAway: z.boolean().optional(),
  kind: z.enum(recordedKinds),
  /** Of a `mutation`: the name of its operation. */
  name: z.string().optional(),
  /**
   * The place that it creates or changes; null for devices. `id`: null until it is created. `created`: true where the job
   * created it, and so has its id.
   */
  place: z
    .object({
      tenant: z.string(),
      kind: z.enum(['site', 'room']),
      id: z.string().nullable(),
      name: z.string(),
      created: z.boolean().optional(),
    })
    .nullable(),
  tenants: z.array(z.object({ key: z.string(), name: z.string() })),
  devices: z.number(),
  device: z.string().optional(),
  counts: outcomeCounts,
  plan: jobPlan,
  state: jobState,
  /** Why it stopped or waits; null: no fault. */
  fault: fault.nullable(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  undoable: z.boolean(),
  undoes: z.string().nullable(),
})
export type Job = z.infer<typeof job>

/**
 * One device, or the one place, of a job. `key`: `line:7` for the line 7 of a CSV file that names no known device, or one
 * that an earlier line names: it is never sent. `provenBy`: how a `done` is known; `backAfter`: ms from sending to its
 * return.
 */
export const jobDevice = z.object({
  key: z.string(),
  name: z.string(),
  tenant: z.object({ key: z.string(), name: z.string() }),
  site: namedRef.nullable(),
  room: namedRef.nullable(),
  before: deviceValues,
  after: deviceValues,
  outcome,
  obstacle: obstacle.nullable(),
  /** The service's words, without control characters, at most 500 characters. */
  words: z.string().nullable(),
  sentAt: z.number().nullable(),
  answeredAt: z.number().nullable(),
  provenAt: z.number().nullable(),
  provenBy: z.enum(['disconnect', 'check-in', 'answer', 'read']).nullable(),
  backAfter: z.number().nullable(),
})
export type JobDevice = z.infer<typeof jobDevice>

/** Why no tenant can be acted on: `off` by the setting, `managed` by the policy file. */
export const actionsOff = z.enum(['off', 'managed'])

/**
 * What can be done in a tenant, and why the rest cannot. A kind is in one of `offered`, `role` and `unknown`, or the service does not
 * offer it. `role`: kinds that the credential set may not do.
 */
export const tenantActions = z.object({
  tenant: z.string(),
  name: z.string(),
  offered: z.array(jobKind),
  role: z.array(jobKind),
  /** Kinds of which it is not known now: no connection of the tenant runs, or none has read what its service offers. */
  unknown: z.array(jobKind),
  linkedDevices: z.boolean(),
  /** The operator of the team’s member that reads its connections; left out where this Muster can act. */
  readBy: z.string().optional(),
  /** Until when it is armed; null: locked. */
  armedUntil: z.number().nullable(),
})
export type TenantActions = z.infer<typeof tenantActions>

/**
 * A reboot that a job sent, whose drop is expected: `sentAt` until `until` (ms). While it is not over, the disconnect is no
 * incident; after it, a device that is still down is one, with this reason. `job`: its id.
 */
export const expectedReboot = z.object({ key: z.string(), job: z.string(), sentAt: z.number(), until: z.number() })
export type ExpectedReboot = z.infer<typeof expectedReboot>

/** State of all actions. `lockEvents`: false where Muster is not told that the screen is locked, so that an idle time locks. */
export const actionsState = z.object({
  off: actionsOff.nullable(),
  lockEvents: z.boolean(),
  tenants: z.array(tenantActions),
  /** Jobs that are not ended, and those that ended in the last hour, the newest first; at most 50. In a team those of all members. */
  jobs: z.array(job),
})
export type ActionsState = z.infer<typeof actionsState>
