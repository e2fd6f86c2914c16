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
  /** Whether times of day are written in UTC. */
  utc(): boolean
  raise(): void
  open(what: EventData<'open'>): void
  quit(): void
  /** Tells the operator that it did not work. */
  say(title: string, body: string): void
  /** What was done last and can be taken back; null when that was. */
  onDone(done: FleetStatus['done']): void
}

/** Does what is chosen in the tray. What the core refuses is logged and said; never throws. */
export function createTrayActions(options: TrayActionsOptions): (deed: TrayAction) => void {
  const {
    core: { handlers },
    now,
    utc,
    raise,
    open,
    quit,
    onDone,
  } = options
  const tried = (name: string, failed: string, run: () => Promise<void>) =>
    void run().catch((thrown: unknown) => {
      const fault = toFault(thrown)
      options.log(
        'warn',
        `${name} from the tray failed (${fault.kind}${fault.detail === '' ? '' : `: ${fault.detail}`})`,
      )
      options.say(failed, reasonOf(fault))
    })
  return (deed) => {
    switch (deed.do) {
      case 'raise':
        return raise()
      case 'quit':
        return quit()
      case 'open':
        raise()
        return open(deed.what)
      case 'pause':
        return tried(
          'notifications.pause',
          deed.minutes === 0 ? 'Notifications could not be resumed' : 'Notifications could not be paused',
          async () => {
            await handlers['notifications.pause']({ minutes: deed.minutes })
          },
        )
      case 'snooze':
        return tried('incidents.snooze', `Not snoozed: ${deed.title}`, async () => {
          const { undo } = await handlers['incidents.snooze']({
            ids: [deed.incident],
            until: snoozedUntil(deed.how, now(), utc()),
          })
          onDone({ act: undo, words: `snoozed ${deed.title}` })
        })
      case 'undo':
        return tried('actions.undo', 'Undo failed', async () => {
          onDone(null)
          await handlers['actions.undo']({ id: deed.act })
        })
      default:
        return assertNever(deed)
    }
  }
}

/** What is refused as it was asked says why itself. */
function reasonOf(fault: Fault): string {
  const { title, advice } = explain(fault)
  return fault.kind === 'input' && fault.detail !== '' ? fault.detail : `${title} ${advice}`
}
