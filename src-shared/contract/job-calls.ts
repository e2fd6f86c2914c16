import { z } from 'zod'
import { lastMoment } from './limits.ts'
import { actionRequest, job, jobDevice, jobPlan, outcome, outcomes, sheet, sheetRow } from '../model/jobs.ts'

const id = z.string().max(64)
const key = z.string().max(2048)
const incidentId = z.string().max(64)
const page = { offset: z.int().min(0), limit: z.int().min(1).max(500) }

/**
 * The calls about jobs, which act on devices and places: a part of the contract (contract.ts). `jobs.start`, and
 * `jobs.control` that continues, fail with a fault of kind `locked` where a tenant is not armed, and `actions-off` where
 * actions are off (invariant 16).
 */
export const jobCalls = {
  /**
   * Prepares an action: finds its devices, reads which are in a call where the service tells it, and estimates the cost.
   * Changes nothing. The core keeps the sheet for 15 minutes. Fails with `input` for a request that cannot be read.
   */
  'jobs.prepare': { input: actionRequest, output: sheet },
  /** Returns a page of a sheet's devices, those with an obstacle first. Fails with `input` when the sheet is gone. */
  'jobs.sheetRows': {
    input: z.object({ sheet: id, ...page }),
    output: z.object({ total: z.number(), rows: z.array(sheetRow) }),
  },
  /**
   * Starts the job of a sheet, once: a sheet starts one job. `confirmation`: what the operator typed, where the sheet asks
   * for it. The job is stored before anything is sent.
   */
  'jobs.start': {
    input: z.object({ sheet: id, confirmation: z.string().max(2048), plan: jobPlan }),
    output: z.object({ job: id }),
  },
  /** Pauses at once, continues, or stops a job for good: what was not sent is not sent. */
  'jobs.control': {
    input: z.object({ job: id, command: z.enum(['pause', 'continue', 'stop']) }),
    output: z.object({}),
  },
  /** Takes over an open job of a member that is away (`ownerAway`): it is this Muster's, and interrupted. */
  'jobs.take': { input: z.object({ job: id }), output: z.object({}) },
  /** Prepares the devices of a job again that have one of these outcomes, from today's values. */
  'jobs.again': { input: z.object({ job: id, outcomes: z.array(outcome).min(1).max(outcomes.length) }), output: sheet },
  /** Prepares the return to the values before a rename or move, of devices that the service still shows with our values. */
  'jobs.undo': { input: z.object({ job: id }), output: sheet },
  /** Returns one job; null for an unknown id. */
  'jobs.show': { input: z.object({ job: id }), output: z.object({ job: job.nullable() }) },
  /** Returns a page of a job's devices: unknown, not back, refused, sent, pending, not sent, done. */
  'jobs.devices': {
    input: z.object({ job: id, outcomes: z.array(outcome).max(outcomes.length).nullable(), ...page }),
    output: z.object({ total: z.number(), rows: z.array(jobDevice) }),
  },
  /**
   * Returns a page of the jobs of the last 400 days, the newest first, whose devices, places, kinds or words contain
   * `text`; with `device` those that acted on it, and with `incident` (an id) those that acted on one of its devices.
   */
  'jobs.list': {
    input: z.object({ text: z.string().max(200), device: key.nullable(), incident: incidentId.optional(), ...page }),
    output: z.object({ total: z.number(), rows: z.array(job) }),
  },
  /** Returns the history as CSV, a line for each device, part by part as `inventory.export` does. */
  'jobs.export': {
    input: z.object({
      from: z.number().min(0).max(lastMoment),
      until: z.number().min(0).max(lastMoment),
      after: z.string().max(200).nullable(),
    }),
    output: z.object({ text: z.string(), after: z.string().nullable() }),
  },
} as const
