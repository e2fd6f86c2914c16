import type { EventData } from '../../../src-shared/contract/contract.ts'
import { assertNever, explain, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Core } from '../../core.ts'
import type { Log } from '../../ports.ts'
import type { TrayAction } from '../tray/entry.ts'
import { snoozedUntil } from '../tray/snooze.ts'
import type { FleetStatus } from '../tray/status.ts'

export interface TrayActionsOptions {
  core: Pick<Core, 'handlers'>
  log: Log
  now(): number
  /** Returns whether times of day are shown in UTC. */
  utc(): boolean
  raise(): void
  open(what: EventData<'open'>): void
  quit(): void
  /** Reports a failure to the operator. */
  notify(title: string, body: string): void
  /** Called with the last action that can be undone; null after an undo. */
  onDone(done: FleetStatus['done']): void
}

/** Performs actions of the tray. Logs and reports the core's rejections; never throws. */
export function createTrayActions(options: TrayActionsOptions): (action: TrayAction) => void {
  const {
    core: { handlers },
    now,
    utc,
    raise,
    open,
    quit,
    onDone,
  } = options
  const attempt = (name: string, failure: string, run: () => Promise<void>) =>
    void run().catch((thrown: unknown) => {
      const fault = toFault(thrown)
      options.log(
        'warn',
        `${name} from the tray failed (${fault.kind}${fault.detail === '' ? '' : `: ${fault.detail}`})`,
      )
      options.notify(failure, reasonOf(fault))
    })
  return (action) => {
    switch (action.do) {
      case 'raise':
        return raise()
      case 'quit':
        return quit()
      case 'open':
        raise()
        return open(action.what)
      case 'pause':
        return attempt(
          'notifications.pause',
          action.minutes === 0 ? 'Notifications could not be resumed' : 'Notifications could not be paused',
          async () => {
            await handlers['notifications.pause']({ minutes: action.minutes })
          },
        )
      case 'snooze':
        return attempt('incidents.snooze', `Not snoozed: ${action.title}`, async () => {
          const { undo } = await handlers['incidents.snooze']({
            ids: [action.incident],
            until: snoozedUntil(action.duration, now(), utc()),
          })
          onDone({ id: undo, description: `snoozed ${action.title}` })
        })
      case 'undo':
        return attempt('actions.undo', 'Undo failed', async () => {
          onDone(null)
          await handlers['actions.undo']({ id: action.id })
        })
      default:
        return assertNever(action)
    }
  }
}

/** Returns the reason of a fault: the detail of an invalid input, otherwise its title and advice. */
function reasonOf(fault: Fault): string {
  const { title, advice } = explain(fault)
  return fault.kind === 'input' && fault.detail !== '' ? fault.detail : `${title} ${advice}`
}
