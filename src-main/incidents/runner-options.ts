import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Notification, Notifications } from '../../src-shared/model/inventory.ts'
import type { ExpectedReboot } from '../../src-shared/model/jobs.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { Change } from '../inventory/thread/change.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { PolicyState } from '../policies/policy-state.ts'
import type { Log } from '../ports.ts'
import type { Notify } from './engine/evaluate.ts'
import type { AlertRules } from './engine/rules.ts'
import type { OperatorChange, State, Step } from './engine/state.ts'
import type { StoredDelivery } from './stored/delivery.ts'
import type { OperatorAction } from './stored/state-store.ts'

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

/**
 * Runs the incident engine. It commits each step, makes it the present state, then notifies (invariant 2): after a
 * crash in between, the notification is in the list and is not sent twice. When the disk rejects a write, it notifies
 * all the same and writes with the next step; a crash before that may repeat a notification, but never loses one.
 */
export interface IncidentRunner {
  /** Must be called with each change, in order. */
  applyChange(change: Change): void
  /**
   * Sets all reboots of jobs that are awaited now, as stored before they are sent. Must be called once at the start and
   * with each change, after `applyChange` of what led to it.
   */
  expectReboots(all: readonly ExpectedReboot[]): void
  /** Must be called when a setting or the set of paused connections may have changed. */
  recheck(): void
  /** Pauses the notifications; 0 ends the pause. Resolves when the pause is stored. */
  pause(minutes: number): Promise<void>
  notifications(): Notifications
  /** Returns the present state, which callers must not change. */
  state(): State
  rules(): AlertRules
  /**
   * Acknowledges, snoozes, unacknowledges or assigns incidents, and writes that with the operator's action in one transaction.
   * Returns the number of the action, or 0 without one. Rejects when the journal cannot be written; then nothing has
   * changed.
   */
  mark(changes: readonly OperatorChange[], by?: OperatorAction): Promise<number>
  /** Notes whether the desktop notification of that time was shown. Resolves when that is stored. */
  confirmDelivery(id: string, at: number, delivered: boolean): Promise<void>
  /** Reads the state again, after a connection was erased or the data thread died. */
  reload(): Promise<void>
  /** Reads the state again and drops what was not written, as another member has written since: to evaluate from now on. */
  readAgain(): Promise<void>
  /** Shows what the member of the team that evaluates has written. New notifications are notified here too. */
  follow(): Promise<void>
  /**
   * Runs an erasure of journal data between two turns and then reads the journal again, so that no erased data is
   * written back. Rejects as `run` does.
   */
  whileErasing<T>(run: () => Promise<T>): Promise<T>
  /** Stops after the turn that has begun. */
  stop(): Promise<void>
}
