import type { Silence } from '../../src-shared/incidents.ts'
import type { ConnectionState } from '../../src-shared/model.ts'
import { listed, nameIn, timeIn } from './names.ts'
import { figuresAt, type Figures, type Incident, type Rules } from './state.ts'

const plural = (count: number, one: string, more = `${one}s`): string => (count === 1 ? `1 ${one}` : `${new Intl.NumberFormat('en').format(count)} ${more}`)

/** For how long, in the largest unit that says it whole: "90 s", "30 min". */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** Why an incident is what it is, and why it is told or not: sentences with the figures that decided it. */
export function whyOf(incident: Incident, silence: Silence | null, rules: Rules, now: number): string[] {
  const figures = figuresAt(rules, incident.path.map(({ id }) => id))
  return [whatItIs(incident, figures), ...severityOf(incident), toldOrNot(incident, silence, now, rules)]
}

function whatItIs(incident: Incident, figures: Figures): string {
  const { shape, kind, total, peak, path } = incident
  if (kind === 'flapping') return `A device flaps when it changes ${figures.flaps} times in ${duration(figures.flapMs)}, and is steady again when it changes once at most in that time.`
  const held = `longer than the ${duration(figures.holdOffMs)} that a device may be down`
  if (shape === 'device') return `It has been down for ${held}.`
  if (shape === 'several') return `${plural(peak, 'device')} at most were down at a time, each for ${held}. No place explains them.`
  const percent = total === null || total === 0 ? '' : `, ${Math.round((peak / total) * 100)} %`
  const known = total === null ? '' : ` of ${plural(total, 'device')} known in ${path[0]?.name ?? 'this place'}`
  return `${plural(peak, 'device')}${known} were down at most${percent}; ${figures.least} devices and ${Math.round(figures.share * 100)} % make it the place that is down. Each was down for ${held}.`
}

function severityOf({ marked, severity, shape, path }: Incident): string[] {
  if (marked > 0) return [`It is critical because ${marked === 1 ? 'something' : plural(marked, 'device')} on the watch list is in it.`]
  if (severity === 'critical') return [`It is critical because a whole ${path[0]?.kind ?? 'place'} is down.`]
  return severity === 'major' ? [shape === 'node' ? 'It is major because a whole room is in it.' : 'It is major because ten devices or more are in it.'] : []
}

function toldOrNot({ toldAt, closedAt }: Incident, silence: Silence | null, now: number, { utc }: Rules): string {
  const at = (time: number) => timeIn(time, now, utc)
  const last = toldAt === null ? '' : ` It was told last at ${at(toldAt)}.`
  const until = silence?.until === null || silence === null ? '' : ` until ${at(silence.until)}`
  if (silence === null || closedAt !== null) return toldAt === null ? 'It was not told.' : `It was told last at ${at(toldAt)}.`
  switch (silence.why) {
    case 'acknowledged': return `It is acknowledged: nothing more is told of it in its place but its end.${last}`
    case 'snoozed': return `It is snoozed${until === '' ? ' until it recovers' : until}.${last}`
    case 'quiet': return `It began in the quiet window ${silence.name}${until === '' ? '' : `, which holds${until}`}: it is told in the report at its end.`
    case 'paused': return `Notifications are paused${until}.${last}`
    case 'setting': return 'Notifications about devices were switched off when it began.'
    case 'away': return 'It was found after an absence, and is told when everything has been read again.'
  }
}

/** Whether the trouble may be Muster's own: what it checks of itself before it calls a device down (design, invariant 4). */
export function isItMe(connections: readonly ConnectionState[], { utc }: Pick<Rules, 'utc'>, now: number): string {
  if (connections.length === 0) return 'No connection of yours sees it any more.'
  const doubts = connections.flatMap(({ name, checks }) => checks.filter(({ state }) => state === 'doubt').map((check) => ({ name, ...check })))
  const [first, ...more] = doubts
  if (first === undefined) return 'It is not Muster: link, token, heartbeat, clock and balance are in order.'
  const since = first.since === null ? '' : ` since ${timeIn(first.since, now, utc)}`
  const others = more.length === 0 ? '' : ` So is ${listed(more.slice(0, 2).map(({ name, check }) => `the ${check} of ${nameIn(name)}`), more.length)}.`
  return `It may be Muster: the ${first.check} of ${nameIn(first.name)} is in doubt${since}${first.detail === '' ? '' : ` (${first.detail})`}.${others}`
}
