import { z } from 'zod'
import { lastMoment } from './limits.ts'
import { incident, incidentEvent, incidentMember, longStanding, nodeThresholds, stripPart } from '../model/incidents.ts'
import { maintenanceWindow } from '../maintenance/maintenance.ts'

const ids = z.array(z.string().max(64)).min(1).max(1000)
const node = z.string().max(2048)
/** Ms since 1970, of a date that has four digits. */
const moment = z.number().min(0).max(lastMoment)
/** What `actions.undo` takes back: the operator's acts are numbered in the journal. */
const undo = z.object({ undo: z.number() })

/** Calls about what the operator is told, a part of the contract (contract.ts). */
export const incidentCalls = {
  /**
   * A window of the incidents, the worst and then the newest first (closed ones: the newest first). `text` is looked for in
   * their words. An acknowledged or snoozed one is open, and in `acknowledged` alone.
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
  /** One with all that is known of it; null when there is none of this id. `why`: sentences that say by which figures it is what it is, and when, how and why it was told or not; instants in them are marked (moments.ts). */
  'incidents.show': {
    input: z.object({ id: z.string().max(64) }),
    output: z.object({
      rev: z.number(),
      shown: z.object({ incident, why: z.array(z.string()), history: z.array(incidentEvent) }).nullable(),
    }),
  },
  /** Its devices, those that are down first, the one that dropped last before the others. */
  'incidents.members': {
    input: z.object({ id: z.string().max(64), offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    output: z.object({ total: z.number(), rows: z.array(incidentMember) }),
  },
  /** Devices that are offline without an incident, because they were before Muster first saw them: those that went last first, spares behind all others. `total` has the spares in it. */
  'incidents.longStanding': {
    input: z.object({ offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    output: z.object({ total: z.number(), spares: z.number(), rows: z.array(longStanding) }),
  },
  /** An acknowledged incident is not told again while it grows in its place; its end is. */
  'incidents.acknowledge': {
    input: z.object({ ids, reason: z.string().trim().min(1, 'Say why.').max(500) }),
    output: undo,
  },
  /** Not told until then (ms); `until` null: until it recovers. What is still down when the time is over is told again. */
  'incidents.snooze': { input: z.object({ ids, until: moment.nullable() }), output: undo },
  /** Takes acknowledgement and snooze away. */
  'incidents.unacknowledge': { input: z.object({ ids }), output: undo },
  /** Takes back an act of the operator, as far as what it changed is still there. */
  'actions.undo': { input: z.object({ id: z.int().min(0) }), output: z.object({}) },
  /** Zone of what lies below a node (IANA); null: inherited. A fault of kind `input` for a zone that nobody knows. */
  'zones.set': {
    input: z.object({ node, nodeName: z.string().max(300), zone: z.string().max(100).nullable() }),
    output: undo,
  },
  /** Figures for what lies below a node; an empty object: all inherited. */
  'thresholds.set': {
    input: z.object({ node, nodeName: z.string().max(300), thresholds: nodeThresholds }),
    output: undo,
  },
  /** Makes (`id` not known) or changes a maintenance window. */
  'maintenance.save': { input: maintenanceWindow, output: undo },
  'maintenance.remove': { input: z.object({ id: z.string().max(64) }), output: undo },
  /**
   * How devices were over a time (ms), in equal parts, from the journal. `subject`: a device's key, or the id of a node for
   * all that is known below it now. Times before Muster knew a device, and while it did not see it, are `unseen`; of one that has been
   * offline all the time, what lies behind the service's `lastDetected` is `reported` instead, of a single device since `reportedSince`.
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
   * What proves an incident, as Markdown for a ticket: its devices and spans, each time in local time and UTC, the queries that
   * are asked, the log of the live socket around it. No secret is in it.
   */
  'incidents.evidence': { input: z.object({ id: z.string().max(64) }), output: z.object({ text: z.string() }) },
  /** What a shift hands over: what stands open, what was acknowledged and why, what closed, flapping, maintenance windows. All of it from the disk. A fault of kind `input` for more than `longestHandoverMs`. */
  'handover.make': {
    input: z.object({ from: moment, until: moment, format: z.enum(['md', 'csv']) }),
    output: z.object({ text: z.string(), name: z.string() }),
  },
} as const
