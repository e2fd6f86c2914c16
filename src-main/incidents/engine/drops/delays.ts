import type { Delay } from '../../../../src-shared/model/incidents.ts'
import type { AlertRules } from '../rules.ts'
import type { State } from '../state.ts'
import { pendingUntil, thresholdsOf } from './due.ts'

/** Most delays that are told: the window counts down for those that it shows. */
const most = 500

/**
 * Returns the devices whose alert delay or recovery delay runs, the first to end first. None whose delay is over without a
 * decision, as where Muster does not see the device.
 */
export function delaysOf({ drops }: Pick<State, 'drops'>, rules: AlertRules, now: number): Delay[] {
  const delays: Delay[] = []
  for (const drop of drops.values()) {
    const thresholds = thresholdsOf(drop, rules)
    if (thresholds === null) continue
    const until = pendingUntil(drop, thresholds)
    if (until === null || until <= now) continue
    const isReboot = drop.kind === 'suspect' && (drop.expected?.until ?? -Infinity) === until
    delays.push({ key: drop.key, until, of: drop.kind === 'recovering' ? 'recovery' : isReboot ? 'reboot' : 'alert' })
  }
  return delays.sort((one, other) => one.until - other.until).slice(0, most)
}
