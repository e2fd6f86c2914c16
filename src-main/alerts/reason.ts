import { assertNever } from '../../src-shared/fault.ts'
import { momentMark } from '../../src-shared/moments.ts'
import { idsOf, type Draft } from './draft.ts'
import { nameIn } from './names.ts'
import { figuresAt, type Figures, type Incident, type Reason } from './state.ts'

/** Where Muster runs: notifications and tray are the desktop's, or notifications and the title of a window the browser's. */
export type Shell = 'electron' | 'web'

/** Figures that decide whether one of a kind is told. */
const deciding = { outage: ['holdOffMs', 'least', 'share'], flapping: ['flaps', 'flapMs'] } as const satisfies Record<Incident['kind'], readonly (keyof Figures)[]>

/** Why an incident is told now, by the figures and windows of now: they may be others by the time somebody asks. */
export function reasonOf({ rules, now }: Draft, { path, kind, shape, marked }: Incident, as: Reason['as']): Reason {
  const ids = idsOf(path)
  const { holdOffMs, least, share, flaps, flapMs } = figuresAt(rules, ids)
  const laid = path.find(({ id }) => deciding[kind].some((figure) => rules.nodes.get(id)?.[figure] !== undefined))
  const through = marked > 0 ? (rules.quietAt(ids, now)?.name ?? '') : ''
  return { at: now, as, figures: { holdOffMs, least, share, flaps, flapMs }, shape, laidFor: laid?.name ?? '', marked, through, shown: null }
}

/** "90 s", "30 min": in the largest unit that says it whole. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** When it was told, how and where, and by which rule as it was then. One that was kept without a reason has the time alone. */
export function toldSentences({ toldAt, telling, kind, shape }: Incident, shell: Shell): string[] {
  if (toldAt === null) return ['It was not told.']
  if (telling === null) return [`It was told at ${momentMark(toldAt)}.`]
  const { at, as, laidFor } = telling
  const from = laidFor === '' ? 'as the settings were then' : `as laid down for ${nameIn(laidFor)} then`
  return [
    `It was told at ${momentMark(at)} ${asWords[as]}, ${shownWords(telling, shell)}.`,
    `It was told because ${ruleWords(telling, kind, telling.shape ?? shape)}, ${from}.${watchWords(telling)}`,
  ]
}

const asWords: Record<Reason['as'], string> = {
  alone: 'by itself', again: 'again, because its snooze was over', storm: 'as one with others that began then', away: 'with what was found after an absence',
  sighted: 'when Muster saw again', report: 'in the report of a quiet window', pause: 'with all others when the pause was over',
}

function shownWords({ shown }: Reason, shell: Shell): string {
  const beside = shell === 'electron' ? 'in the tray and under the bell' : 'in the window’s title and under the bell'
  if (shown === true) return `in a notification, ${beside}`
  return shown === false ? `${beside}; the notification was not shown by the system` : `${beside}; no notification of it is known to have been shown`
}

function ruleWords({ figures: { holdOffMs, least, share, flaps, flapMs } }: Reason, kind: Incident['kind'], shape: Incident['shape']): string {
  if (kind === 'flapping') return `it had changed ${flaps} times in ${duration(flapMs)}`
  const held = holdOffMs === 0 ? 'no drop is waited for' : `the hold-off of ${duration(holdOffMs)} was over`
  switch (shape) {
    case 'node': return `${held} and the share of ${Math.round(share * 100)} %, at least ${least} devices, was reached`
    case 'device':
    case 'several': return held
    default: return assertNever(shape)
  }
}

function watchWords({ marked, through }: Reason): string {
  if (marked === 0) return ''
  return through === '' ? ' It was on the watch list.' : ` It was on the watch list and broke through the quiet window ${nameIn(through)}.`
}
