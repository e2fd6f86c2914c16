import type { Fault } from '../../src-shared/model/fault.ts'
import type { ActionsState, Outcome, Targets } from '../../src-shared/model/jobs.ts'
import type { NamedRef } from '../../src-shared/model/inventory.ts'
import type { Session } from '../lib/session.ts'
import { createStore, type Store } from '../lib/store.ts'

/** Devices of an action. `name`: of the device or place, for a heading; null for a selection. `count`: how many. */
export interface Subject {
  targets: Targets
  name: string | null
  count: number
}

export type DeviceActionKind = 'reboot' | 'rename' | 'move'

/**
 * The open dialog. `tenants`: keys of tenants. `site` of a site and `room`: what is edited, null for a new one; a room by
 * its node id.
 */
export type AskedAction =
  | { what: 'none' }
  | { what: 'arm'; tenants: readonly string[] }
  | { what: 'devices'; kind: DeviceActionKind; subject: Subject }
  | { what: 'csv' }
  | { what: 'site'; tenant: string; site: NamedRef | null; account: NamedRef | null }
  | { what: 'room'; tenant: string; room: string | null; site: NamedRef | null }
  | { what: 'again'; job: string; outcomes: readonly Outcome[] }
  | { what: 'undo'; job: string }

/** The message about the last action. `job`: it can be shown. */
export interface ActionMessage {
  words: string
  fault: Fault | null
  job: string | null
}

const noMessage: ActionMessage = { words: '', fault: null, job: null }

/** Actions on devices and places at their service: the core's state of them, and what the window asks for. */
export interface DeviceActions {
  /** Null before the core's first answer. */
  state: Store<ActionsState | null>
  asked: Store<AskedAction>
  message: Store<ActionMessage>
  /** The job that the actions screen shows; null for none. */
  shown: Store<string | null>
  ask(asked: AskedAction): void
  close(): void
  /** Opens the actions screen, with a job. */
  show(job: string | null): void
  /** Arms tenants, one after the other. Resolves with the first fault, or with null. */
  arm(tenants: readonly string[]): Promise<Fault | null>
  /** Locks a tenant, or with null all of them. */
  lock(tenant: string | null): Promise<void>
  report(message: Partial<ActionMessage>): void
  /** Clears the message. */
  forget(): void
  stop(): void
}

export function createDeviceActions(session: Session): DeviceActions {
  const { pipe } = session
  const state = createStore<ActionsState | null>(null)
  const asked = createStore<AskedAction>({ what: 'none' })
  const message = createStore<ActionMessage>(noMessage)
  const shown = createStore<string | null>(null)
  const report = (part: Partial<ActionMessage>) => message.set({ ...noMessage, ...part })
  return {
    state,
    asked,
    message,
    shown,
    ask: asked.set,
    close: () => asked.set({ what: 'none' }),
    show(job) {
      if (job !== null) shown.set(job)
      session.open({ scope: 'all', filter: '', device: null, screen: 'actions' })
    },
    async arm(tenants) {
      for (const tenant of tenants) {
        const answer = await pipe.call('actions.arm', { tenant })
        if (!answer.ok) return answer.fault
      }
      return null
    },
    async lock(tenant) {
      const answer = await pipe.call('actions.lock', tenant === null ? {} : { tenant })
      if (!answer.ok) report({ fault: answer.fault })
    },
    report,
    forget: () => message.set(noMessage),
    stop: followState(session, state),
  }
}

/**
 * Keeps the state by its event, and reads it when the core is reached. An event that came after the query is newer than
 * the answer. Returns a function that stops it.
 */
function followState({ pipe, onChange }: Session, state: Store<ActionsState | null>): () => void {
  let turn = 0
  async function load() {
    turn += 1
    const mine = turn
    const answer = await pipe.call('actions.state', {})
    if (answer.ok && mine === turn) state.set(answer.value)
  }
  const offs = [
    pipe.on('actions', (next) => {
      turn += 1
      state.set(next)
    }),
    onChange((change) => void (change === null && load())),
  ]
  void load()
  return () => {
    turn += 1
    for (const off of offs) off()
  }
}
