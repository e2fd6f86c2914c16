import { z } from 'zod'
import { lastMoment } from './limits.ts'
import { explanation } from '../model/explanation.ts'
import {
  incident,
  incidentEvent,
  incidentMarks,
  incidentMember,
  longStanding,
  nodeThresholds,
  stripPart,
} from '../model/incidents.ts'
import { inventoryQuery } from '../model/inventory.ts'
import { maintenanceWindow } from '../maintenance/maintenance.ts'

const ids = z.array(z.string().max(64)).min(1).max(1000)
const node = z.string().max(2048)
/** A time in ms since the epoch, of a date with a year of four digits. */
const moment = z.number().min(0).max(lastMoment)
/** The number of an operator's action in the journal, for `actions.undo`. */
const undo = z.object({ undo: z.number() })

/** The calls about incidents and policies, a part of the contract (contract.ts). */
export const incidentCalls = {
  /**
   * Returns a page of the incidents that contain `text`: open ones by severity and then newest first, closed ones
   * newest first. An acknowledged or snoozed incident is open, but is listed only as `acknowledged`.
   */
  'incidents.list': {
    input: z.object({
      state: z.enum(['open', 'acknowledged', 'closed']),
      text: z.string().max(200),
      offset: z.int().min(0),
      limit: z.int().min(1).max(200),
    }),
    output: z.object({
      rev: z.number(),
      total: z.number(),
      offset: z.number(),
      rows: z.array(incident),
      counts: z.object({ open: z.number(), acknowledged: z.number(), closed: z.number() }),
    }),
  },
  /**
   * Returns one incident with its details; null for an unknown id. `why`: the facts that explain the incident and its
   * notification, with the thresholds.
   */
  'incidents.show': {
    input: z.object({ id: z.string().max(64) }),
    output: z.object({
      rev: z.number(),
      shown: z.object({ incident, why: z.array(explanation), history: z.array(incidentEvent) }).nullable(),
    }),
  },
  /** Returns the devices of an incident: those that are down first, and of these the one that dropped last first. */
  'incidents.members': {
    input: z.object({ id: z.string().max(64), offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    output: z.object({ total: z.number(), rows: z.array(incidentMember) }),
  },
  /** Returns which of these incidents have a device that matches the query, in their order. */
  'incidents.matching': {
    input: z.object({ ids, query: inventoryQuery.pick({ scope: true, filter: true }) }),
    output: z.object({ ids: z.array(z.string()) }),
  },
  /**
   * Returns devices that are offline without an incident because they were before Muster first saw them: the last to go
   * offline first, spares at the end. `total` includes the spares.
   */
  'incidents.longStanding': {
    input: z.object({ offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    output: z.object({ total: z.number(), spares: z.number(), rows: z.array(longStanding) }),
  },
  /**
   * Acknowledges incidents. An acknowledged incident does not notify again while it grows in its place, only when it
   * ends.
   */
  'incidents.acknowledge': {
    input: z.object({ ids, reason: z.string().trim().min(1, 'Enter a reason.').max(500) }),
    output: undo,
  },
  /**
   * Snoozes incidents until a time (ms), or with null until they recover. Those that are still open at that time notify
   * again.
   */
  'incidents.snooze': { input: z.object({ ids, until: moment.nullable() }), output: undo },
  /** Removes acknowledgements and snoozes. */
  'incidents.unacknowledge': { input: z.object({ ids }), output: undo },
  /**
   * Assigns incidents to a member of the team, by the operator's name, or with null to nobody. It silences nothing. Fails
   * with a fault of kind `input` where nobody in the team has that name, and for a Muster on its own.
   */
  'incidents.assign': { input: z.object({ ids, to: z.string().max(200).nullable() }), output: undo },
  /** Returns what operators did about those of these incidents that are open, in their order. */
  'incidents.marks': { input: z.object({ ids }), output: z.object({ marks: z.array(incidentMarks) }) },
  /** Undoes an action of the operator, as far as its changes still stand. */
  'actions.undo': { input: z.object({ id: z.int().min(0) }), output: z.object({}) },
  /**
   * Sets the time zone (IANA name) of everything below a node; null inherits it. Fails with a fault of kind `input` for
   * an unknown zone.
   */
  'zones.set': {
    input: z.object({ node, nodeName: z.string().max(300), zone: z.string().max(100).nullable() }),
    output: undo,
  },
  /** Sets thresholds for everything below a node; an empty object inherits all of them. */
  'thresholds.set': {
    input: z.object({ node, nodeName: z.string().max(300), thresholds: nodeThresholds }),
    output: undo,
  },
  /** Creates (unknown `id`) or changes a maintenance window. */
  'maintenance.save': { input: maintenanceWindow, output: undo },
  'maintenance.remove': { input: z.object({ id: z.string().max(64) }), output: undo },
  /**
   * Returns the availability of devices over a span (ms), in equal parts, from the journal. `subject`: the key of a
   * device, or the id of a node for all devices that are known below it now. Times before Muster knew a device, or
   * without visibility, are `unseen`. For a device that has always been offline, the time after the service's
   * `lastDetected` is `reported` instead; a single device also has `reportedSince`.
   */
  'availability.strip': {
    input: z.object({
      subject: z.union([z.object({ device: z.string().max(2048) }), z.object({ node })]),
      from: moment,
      until: moment,
      parts: z.int().min(1).max(500),
    }),
    output: z.object({
      devices: z.number(),
      parts: z.array(stripPart),
      drops: z.number(),
      reportedSince: z.number().nullable(),
    }),
  },
  /**
   * Returns the evidence of an incident as Markdown for a ticket: its devices and spans with times in local time and
   * UTC, the queries that Muster sends, and the log of the live socket around it. It contains no secret.
   */
  'incidents.evidence': { input: z.object({ id: z.string().max(64) }), output: z.object({ text: z.string() }) },
  /**
   * Returns a shift handover from stored data: open, acknowledged and closed incidents, flapping devices, maintenance
   * windows. Fails with a fault of kind `input` for a span longer than `maxHandoverMs`.
   */
  'handover.make': {
    input: z.object({ from: moment, until: moment, format: z.enum(['md', 'csv']) }),
    output: z.object({ text: z.string(), name: z.string() }),
  },
} as const
