import { z } from 'zod'
import { zoneText } from '../maintenance/zones.ts'
import { fault, nodeKind } from '../model/inventory.ts'
import { serviceHours } from '../model/report-settings.ts'
import { note } from './note-calls.ts'
import { lastMoment } from './limits.ts'

const moment = z.number().min(0).max(lastMoment)

/**
 * What a report of availability is about. `place`: a node of the tree, or `everything`. Times in ms; `zone`: where its days begin, and of
 * the service hours; null: all times count.
 */
export const reportRequest = z.object({
  place: z.string().max(2048),
  from: moment,
  until: moment,
  zone: zoneText,
  hours: serviceHours.nullable(),
})
export type ReportRequest = z.infer<typeof reportRequest>

/**
 * Device-ms and outages of devices in the counted time: within the service hours, without maintenance. `counted`: all of it; `up`, `down`:
 * online and offline as Muster saw it; the rest has no data. An outage counts where it was seen; `longest` (ms) of them; `recovered`: those that
 * began and ended in the time of the report, and their sum (`recovery`, ms).
 */
export const reportFigures = z.object({
  devices: z.number(),
  counted: z.number(),
  up: z.number(),
  down: z.number(),
  outages: z.number(),
  longest: z.number(),
  recovered: z.number(),
  recovery: z.number(),
})
export type ReportFigures = z.infer<typeof reportFigures>

const named = { id: z.string(), name: z.string(), kind: nodeKind }
const line = reportFigures.extend({ ...named, kind: nodeKind })

export const availabilityReport = z.object({
  /** The place and those above it, the highest first; empty for all tenants. */
  path: z.array(z.object(named)),
  from: z.number(),
  /** Not later than now. */
  until: z.number(),
  /** When it was made, ms. */
  madeAt: z.number(),
  all: reportFigures,
  /** Device-ms of maintenance that are left out, within the service hours. */
  maintenance: z.number(),
  /** Each day in the zone of the report, or its part within the time. */
  days: z.array(
    z.object({ from: z.number(), until: z.number(), counted: z.number(), up: z.number(), down: z.number() }),
  ),
  /** Tenants, sites or rooms, those with the most offline time first; and the number of those that are left out. */
  below: z.array(line),
  belowLeftOut: z.number(),
  /** The devices with the most offline time. */
  worst: z.array(
    reportFigures.extend({ key: z.string(), name: z.string(), tenant: z.string(), site: z.string(), room: z.string() }),
  ),
  /** The maintenance that is left out: name, place and time. At most 100. */
  windows: z.array(z.object({ name: z.string(), place: z.string(), from: z.number(), until: z.number() })),
  windowsLeftOut: z.number(),
  /** Notes on the place, those above it and the devices of `worst` with their places. At most 100. */
  notes: z.array(note),
})
export type AvailabilityReport = z.infer<typeof availabilityReport>

/** The calls of reports: a part of the contract (contract.ts). All of them are answered from this computer's disk. */
export const reportCalls = {
  /**
   * Returns the availability of a place over a time. Fails with a fault of kind `input` for an unknown place, and for a time that ends before it
   * begins or has not begun.
   */
  'reports.availability': { input: reportRequest, output: availabilityReport },
  /** Writes the scheduled reports that are due, and returns how they are: the last one that was written, and why the next one could not be. */
  'reports.schedules': {
    input: z.object({}),
    output: z.object({
      schedules: z.array(
        z.object({
          id: z.string(),
          /** `period`: "2026-W47" or "2026-10"; `path`: of the HTML, beside which is the CSV. */
          written: z.object({ period: z.string(), at: z.number(), path: z.string() }).nullable(),
          fault: fault.nullable(),
        }),
      ),
    }),
  },
  /** Returns a part of the same as CSV, a line for each device; `next`: the position of the next part, or null. Times in seconds. */
  'reports.csv': {
    input: reportRequest.extend({ offset: z.int().min(0) }),
    output: z.object({ text: z.string(), next: z.number().nullable() }),
  },
}
