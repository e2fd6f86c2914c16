import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Notification, Notifications } from '../../src-shared/model/inventory.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { PolicyState } from '../policies/policy-state.ts'
import type { Log } from '../ports.ts'
import type { Notify } from './engine/evaluate.ts'
import type { State, Step } from './engine/state.ts'
import type { StoredDelivery } from './stored/delivery.ts'

/** Messages to channels that the steps of the incidents lead to. */
export interface StepDeliveries {
  /** Returns the messages of a step. Changes nothing. */
  plan(step: Step & { before: State }): readonly StoredDelivery[]
  /** Takes messages over after their step was written, or could not be written yet. */
  accept(deliveries: readonly StoredDelivery[]): void
}

export interface RunnerOptions {
  data: Pick<InventoryData, 'alerts' | 'saveAlerts' | 'locations'>
  clock: Clock
  log: Log
  settings: () => Settings
  /** Returns the present maintenance windows and thresholds of nodes. */
  policies: () => PolicyState
  /** Returns the ids of the connections that the operator has paused. Tenants that only these list are not watched. */
  paused: () => ReadonlySet<string>
  /** Returns the time of the last message of each of these connections (ms), without those that never had one. */
  lastMessages: (connections: readonly string[]) => number[]
  notify: Notify
  /** Returns whether this Muster evaluates: in a team one member does, and the others show what it wrote. Left out: always. */
  evaluates?: () => boolean
  /** `keys`: the devices whose drop or recovery is notified for the first time. */
  onNotification: (content: Notification, keys: readonly string[]) => void
  onNotifications: (notifications: Notifications) => void
  /** The messages to channels. Each is stored with the step that leads to it, and then sent. */
  channels: StepDeliveries
  /** Called when incidents, or their suppression, have changed. */
  onIncidents: () => void
  /** Called when the devices that are down, or a rule, may have changed. */
  onDrops: () => void
}
