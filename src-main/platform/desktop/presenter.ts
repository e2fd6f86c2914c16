import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { CallOutput, EventData } from '../../../src-shared/contract/contract.ts'
import {
  attentionCount,
  mayHaveSettled,
  severityIn,
  closeSettled,
} from '../../../src-shared/notifications/desktop-notification.ts'
import type { Core } from '../../core.ts'
import type { TrayHandle } from '../tray/tray.ts'
import type { FleetStatus } from '../tray/status.ts'
import type { DesktopNotifications } from './notifications/notifications.ts'

export interface PresenterOptions {
  core: Pick<Core, 'handlers' | 'on'>
  tray: Pick<TrayHandle, 'show'>
  notifications: Pick<DesktopNotifications, 'show' | 'evaluate' | 'shown' | 'closeMatching' | 'drop'>
  /** Shows the number of incidents that need attention on the icon; 0 removes it. */
  badge(count: number): void
  clock: Pick<Clock, 'after'>
}

/** Shows the core's state on the desktop outside of the window: consistent in tray, badge and notifications. */
export interface DesktopPresenter {
  closeToTray(): boolean
  /** Sets the badge on a new window. */
  mark(): void
  utc(): boolean
  /** Records the last action from the tray, which the tray offers to undo for a while. */
  done(what: FleetStatus['done']): void
  stop(): void
}

/** How long the tray offers to undo its last action, ms. */
const undoMs = 10 * 60_000

export async function startPresenter({
  core,
  tray,
  notifications,
  badge,
  clock,
}: PresenterOptions): Promise<DesktopPresenter> {
  const app = await core.handlers['app.state']({})
  const status = statusOf(app)
  let { settings } = app
  let cancelForget = () => {}
  let count = 0

  const change = (part: Partial<FleetStatus>) => {
    Object.assign(status, part)
    const now = attentionCount(status.incidents)
    if (now !== count) badge(now)
    count = now
    tray.show({ ...status })
  }
  const done = (what: FleetStatus['done']) => {
    cancelForget()
    if (what !== null) cancelForget = clock.after(undoMs, () => change({ done: null }))
    change({ done: what })
  }
  const settle = settling(core, notifications, () => status.incidents)
  const applyIncidents = (next: EventData<'incidents'>) => {
    const before = status.incidents
    change({ incidents: next })
    notifications.evaluate(next)
    if (mayHaveSettled(before, next) || next.monitoringLost < before.monitoringLost) settle()
  }

  change({})
  const offs = [
    core.on('patch', (patch) => change({ totals: patch.totals })),
    core.on('connections', (all) => change({ connections: all })),
    core.on('gauges', (all) => change({ gauges: all })),
    core.on('incidents', applyIncidents),
    core.on('settings', (now) => {
      settings = now
      change({ utc: now.times === 'utc' })
    }),
    core.on('notifications', (all) => change({ pausedUntil: all.pausedUntil })),
    core.on('notification', (notification) =>
      notifications.show(notification, severityIn(status.incidents, notification)),
    ),
  ]
  return {
    closeToTray: () => settings.closeToTray,
    mark: () => badge(count),
    utc: () => status.utc,
    done,
    stop() {
      cancelForget()
      for (const off of offs) off()
    },
  }
}

const statusOf = ({
  totals,
  connections,
  gauges,
  incidents,
  notifications,
  settings,
}: CallOutput<'app.state'>): FleetStatus => ({
  totals,
  connections,
  gauges,
  incidents,
  pausedUntil: notifications.pausedUntil,
  utc: settings.times === 'utc',
  done: null,
})

/** Returns a function that updates the notifications once at a time; changes meanwhile cause another update. */
function settling(
  { handlers }: PresenterOptions['core'],
  notifications: PresenterOptions['notifications'],
  summary: () => EventData<'incidents'>,
): () => void {
  let [running, again] = [false, false]
  const ask = async (id: string) =>
    handlers['incidents.show']({ id }).then(
      ({ shown }) => shown?.incident ?? null,
      () => undefined,
    )
  return async function run() {
    again = running
    if (running) return
    running = true
    await closeSettled(notifications, summary(), ask)
    running = false
    if (again) await run()
  }
}
