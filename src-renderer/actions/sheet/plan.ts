import { maxTargets, type JobPlan } from '../../../src-shared/model/jobs.ts'
import type { Zones } from '../../../src-shared/maintenance/zones.ts'
import { numberText } from '../../lib/format/numbers.ts'

/** The input for how a job runs. Date and time are in the zone of the place. */
export interface PlanDraft {
  rolling: boolean
  batch: string
  waitMinutes: string
  stops: boolean
  stopAfter: string
  start: 'now' | 'at'
  date: string
  time: string
  includeInCall: boolean
}

export type PlanField = 'batch' | 'waitMinutes' | 'stopAfter' | 'at'
export type PlanProblems = ReadonlyMap<PlanField, string>

export const firstPlan: PlanDraft = {
  rolling: false,
  batch: '10',
  waitMinutes: '10',
  stops: true,
  stopAfter: '3',
  start: 'now',
  date: '',
  time: '',
  includeInCall: false,
}

/** The farthest start of a job, in ms from now. */
const farthest = 31 * 86_400_000

interface Context {
  zones: Zones
  zone: string
  now: number
}

/** Returns the plan of a job, or null with the errors by field. */
export function planOf(draft: PlanDraft, context: Context): { plan: JobPlan | null; problems: PlanProblems } {
  const problems = new Map<PlanField, string>()
  const number = (field: PlanField, typed: string, max: number) => {
    const value = wholeNumber(typed, max)
    if (value === null) problems.set(field, `Enter a whole number from 1 to ${numberText(max)}.`)
    return value ?? 1
  }
  const batch = draft.rolling ? number('batch', draft.batch, maxTargets) : null
  const waitMinutes = number('waitMinutes', draft.waitMinutes, 120)
  const stopAfter = draft.rolling && draft.stops ? number('stopAfter', draft.stopAfter, maxTargets) : null
  const at = draft.start === 'now' ? null : startOf(draft, context)
  if (typeof at === 'string') problems.set('at', at)
  if (problems.size > 0 || typeof at === 'string') return { plan: null, problems }
  return { plan: { batch, waitMinutes, stopAfter, at, includeInCall: draft.includeInCall }, problems }
}

function wholeNumber(typed: string, max: number): number | null {
  const value = /^\s*\d{1,9}\s*$/u.test(typed) ? Number(typed) : 0
  return value >= 1 && value <= max ? value : null
}

/** Returns the start in ms since the epoch, or what is wrong with it. */
function startOf({ date, time }: PlanDraft, { zones, zone, now }: Context): number | string {
  const clock = time
    .trim()
    .replace('.', ':')
    .replace(/^(\d):/u, '0$1:')
  const day = /^\d{4}-\d{2}-\d{2}$/u.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(day)) return 'Choose a date.'
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(clock)) return 'Enter a time of day, as 22:00.'
  const at = zones.firstAt(zone, Date.parse(`${date}T${clock}:00Z`))
  if (at <= now) return 'This time is over.'
  return at - now > farthest ? 'Choose a time within 31 days.' : at
}

/** Returns date and time of a moment in a zone, for the fields. */
export function fieldsOf(
  at: number,
  { zones, zone }: Pick<Context, 'zones' | 'zone'>,
): Pick<PlanDraft, 'date' | 'time'> {
  const [date = '', time = ''] = new Date(at + zones.offsetAt(zone, at)).toISOString().split('T')
  return { date, time: time.slice(0, 5) }
}
