import { z } from 'zod'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Notifications } from '../../src-shared/model/inventory.ts'
import type { Settings } from '../ports.ts'
import type { IncidentRunner } from './runner-options.ts'

const settingsKey = 'notificationsPausedUntil'

/** A pause of notifications on this computer alone: in a team, the incidents are everybody's. */
export interface OwnPause {
  isOn(): boolean
  /** Returns notifications with this computer's pause. */
  of(notifications: Notifications): Notifications
  /** Returns the runner with this pause instead of its own. */
  around(runner: IncidentRunner): IncidentRunner
  stop(): void
}

/** Opens the pause, which outlives a restart. `onChange` is called when it begins or ends. */
export function openOwnPause(clock: Clock, settings: Settings, onChange: () => void): OwnPause {
  let cancel = () => {}
  const until = () => z.number().catch(0).parse(settings.get(settingsKey))
  const isOn = () => until() > clock.now()
  const arm = () => {
    cancel()
    if (isOn()) cancel = clock.after(until() - clock.now(), onChange)
  }
  arm()
  const of = (notifications: Notifications): Notifications => ({
    ...notifications,
    pausedUntil: isOn() ? until() : null,
  })
  return {
    isOn,
    of,
    around: (runner) => ({
      ...runner,
      notifications: () => of(runner.notifications()),
      async pause(minutes) {
        settings.set(settingsKey, minutes === 0 ? 0 : clock.now() + minutes * 60_000)
        arm()
        onChange()
      },
    }),
    stop: () => cancel(),
  }
}
