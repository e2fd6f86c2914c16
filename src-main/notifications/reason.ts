import { assertNever } from '../../src-shared/model/fault.ts'
import { momentMark } from '../../src-shared/text/moments.ts'
import { idsOf, type Draft } from '../incidents/engine/draft.ts'
import { nameText } from './names.ts'
import { thresholdsAt, type PlaceThresholds, type Incident, type Reason } from '../incidents/engine/state.ts'

/** Where Muster runs: notifications and tray are the desktop's, or notifications and the title of a window the browser's. */
export type ShellKind = 'electron' | 'web'

/** Figures that decide whether one of a kind is told. */
const deciding = { outage: ['holdOffMs', 'least', 'share'], flapping: ['flaps', 'flapMs'] } as const satisfies Record<
  Incident['kind'],
  readonly (keyof PlaceThresholds)[]
>

/** Why an incident is told now, by the figures and windows of now: they may be others by the time somebody asks. */
export function reasonOf({ rules, now }: Draft, { path, kind, shape, marked }: Incident, as: Reason['as']): Reason {
  const ids = idsOf(path)
  const { holdOffMs, least, share, flaps, flapMs } = thresholdsAt(rules, ids)
  const laid = path.find(({ id }) => deciding[kind].some((figure) => rules.nodes.get(id)?.[figure] !== undefined))
  const through = marked > 0 ? (rules.quietAt(ids, now)?.name ?? '') : ''
  return {
    at: now,
    as,
    figures: { holdOffMs, least, share, flaps, flapMs },
    shape,
    laidFor: laid?.name ?? '',
    marked,
    through,
    shown: null,
  }
}

/** "90 s", "30 min": in the largest unit that says it whole. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** When it was told, how and where, and by which rule as it was then. One that was kept without a reason has the time alone. */
export function deliverySentences({ toldAt, telling, kind, shape }: Incident, shell: ShellKind): string[] {
  if (toldAt === null) return ['Not notified.']
  if (telling === null) return [`Notified at ${momentMark(toldAt)}.`]
  const { at, as, laidFor } = telling
  const from =
    laidFor === '' ? 'by the settings of that time' : `by the thresholds of ${nameText(laidFor)} at that time`
  return [
    `Notified at ${momentMark(at)}${asWords[as]} ${shownWords(telling, shell)}.`,
    `${ruleWords(telling, kind, telling.shape ?? shape)}, ${from}.${watchWords(telling)}`,
  ]
}

const asWords: Record<Reason['as'], string> = {
  alone: '',
  again: ' again after its snooze,',
  storm: ' together with others that began then,',
  away: ' in the summary after an absence,',
  sighted: ' when monitoring was restored,',
  report: ' in the report of a maintenance window,',
  pause: ' in the summary after the pause,',
}

function shownWords({ shown }: Reason, shell: ShellKind): string {
  const inApp = shell === 'electron' ? 'in app (bell and tray)' : 'in app (bell and window title)'
  if (shown === true) return `${inApp} and on the desktop`
  return shown === false
    ? `${inApp}; the system did not show the desktop notification`
    : `${inApp}; desktop notification not confirmed`
}

function ruleWords(
  { figures: { holdOffMs, least, share, flaps, flapMs } }: Reason,
  kind: Incident['kind'],
  shape: Incident['shape'],
): string {
  if (kind === 'flapping') return `Alerted after ${flaps} changes in ${duration(flapMs)}`
  const held = holdOffMs === 0 ? 'Alerted without delay' : `Alerted after ${duration(holdOffMs)} delay`
  switch (shape) {
    case 'node':
      return `${held} at the threshold of ${least} devices and ${Math.round(share * 100)} %`
    case 'device':
    case 'several':
      return held
    default:
      return assertNever(shape)
  }
}

function watchWords({ marked, through }: Reason): string {
  if (marked === 0) return ''
  return through === ''
    ? ' It was on the watch list.'
    : ` It was on the watch list, which overrides the maintenance window ${nameText(through)}.`
}
