import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Sender } from '../connections/senders.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'
import type { Publisher } from '../ipc/publish.ts'
import type { OperatorSettings } from '../settings/settings.ts'
import { openActions, type Actions } from './actions.ts'

interface Base {
  ports: { clock: Clock; log: Log }
  thread: { data: InventoryData }
  settings: OperatorSettings
  publisher: Publisher
}

/** Opens the actions of a core. `senders`: the running connections. */
export function startActions(
  { ports: { clock, log }, thread: { data }, settings, publisher }: Base,
  { lockEvents = false, actionsOff = false }: { lockEvents?: boolean; actionsOff?: boolean },
  senders: () => Sender[],
): Actions {
  const actions = openActions({
    data,
    clock,
    log,
    lockEvents,
    managedOff: actionsOff,
    settings: settings.get,
    senders,
    onState: (read) => publisher.sendSoon('actions', read),
  })
  settings.onChange(actions.changed)
  return actions
}

/** Returns the core's `power`: a locked screen and sleep lock all tenants. */
export const powerCall =
  (actions: Pick<Actions, 'lock'>, connections: { power(event: 'sleeps' | 'wakes'): void }) =>
  (word: 'sleeps' | 'wakes' | 'locks' | 'unlocks'): void => {
    if (word === 'sleeps' || word === 'locks') actions.lock()
    if (word !== 'locks') connections.power(word === 'sleeps' ? 'sleeps' : 'wakes')
  }
