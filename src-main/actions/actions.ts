import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { ActionsState, TenantActions } from '../../src-shared/model/jobs.ts'
import type { Sender } from '../connections/senders.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'
import { createArming, type Arming } from './arming.ts'
import { createTenants, type KnownTenant } from './tenants.ts'

export interface ActionsOptions {
  data: Pick<InventoryData, 'locations'>
  clock: Clock
  log: Log
  lockEvents: boolean
  /** True where the policy file switches actions off. */
  managedOff: boolean
  settings: () => { actions: boolean }
  senders: () => Sender[]
  onState: (read: () => ActionsState) => void
}

/** The tenants are read this long after a change, ms: changes come in many parts. */
const readAgainMs = 1_000

type ActionCall = Extract<keyof Handlers, 'actions.state' | 'actions.arm' | 'actions.lock'>

/** Actions on devices and places (docs/actions.md): what the operator may do now, and the jobs. */
export interface Actions {
  handlers: Pick<Handlers, ActionCall>
  /** Handles that the screen was locked or the computer sleeps, or that time was lost: all tenants are locked. */
  lock(): void
  /** Handles changed connections, tenants or settings. */
  changed(): void
  stop(): void
}

export function openActions(options: ActionsOptions): Actions {
  const { data, clock, lockEvents, managedOff, settings, senders, onState, log } = options
  const tenants = createTenants(data, senders)
  const off = () => (managedOff ? 'managed' : settings().actions ? null : 'off')
  const state = (): ActionsState => ({
    off: off(),
    lockEvents,
    tenants: tenants.all().map((tenant) => stateOf(tenant, arming)),
  })
  let pending: (() => void) | null = null
  const publish = () => onState(state)
  const arming = createArming({
    clock,
    lockEvents,
    isOff: () => off() !== null,
    linksOf: (key) => new Set(tenants.get(key)?.senders.map(({ link }) => link)),
    onChange: publish,
  })
  return {
    handlers: {
      'actions.state': async () => {
        await tenants.refresh()
        return state()
      },
      'actions.arm': async ({ tenant }) => {
        await tenants.refresh()
        return { until: arming.arm(tenant) }
      },
      'actions.lock': async ({ tenant }) => {
        arming.lock(tenant)
        return {}
      },
    },
    lock: () => arming.lock(),
    changed() {
      arming.recheck()
      pending ??= clock.after(readAgainMs, () => {
        pending = null
        tenants.refresh().then(publish, () => log('warn', 'the tenants of actions could not be read'))
      })
    },
    stop() {
      pending?.()
      arming.stop()
    },
  }
}

function stateOf(tenant: KnownTenant, arming: Arming): TenantActions {
  return {
    tenant: tenant.key,
    name: tenant.name,
    armedUntil: arming.until(tenant.key),
  }
}
