import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { ActionsState, ExpectedReboot, JobKind } from '../../src-shared/model/jobs.ts'
import type { Sender } from '../connections/senders.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Change } from '../inventory/thread/change.ts'
import type { Log } from '../ports.ts'
import { createArming, type Arming } from './arming.ts'
import { createSenderChoice, neededFor, type SenderChoice } from './choose-sender.ts'
import { jobHandlers, type JobHandlers } from './job-handlers.ts'
import { createOffers, type Offers } from './offers.ts'
import { createPlaceGuard } from './place-guard.ts'
import { createJobs, type Jobs, type TeamEvents } from './runner/jobs.ts'
import { openOtherJobs, type JobTeam, type OtherJobs } from './runner/other-jobs.ts'
import { createSheets } from './sheets/create.ts'
import { createTenants, type ActionTenants } from './tenants.ts'
import { createWrittenMutations, type WrittenMutations } from './written-mutations.ts'

export interface ActionsOptions {
  data: InventoryData
  clock: Clock
  log: Log
  lockEvents: boolean
  /** Why actions are off whatever the setting is; null where they are not. */
  fixedOff: 'managed' | null
  /** Returns the operator of the team's member that reads one of these connections; null: none does, or this Muster. */
  readBy: (connections: readonly string[]) => string | null
  /** The team with which the jobs are shared; null for a Muster on its own. */
  team: JobTeam | null
  settings: () => { actions: boolean }
  senders: () => Sender[]
  onState: (read: () => ActionsState) => void
  /** Called with all reboots whose drop is expected, whenever they change. */
  onExpected: (all: readonly ExpectedReboot[]) => void
  /** Called when a job has changed names or places in these tenants, and is ended. */
  onWritten: (tenants: readonly WrittenTenant[], kind: JobKind) => void
}

/** A tenant (its key) in which a job has written. `connections`: the running ones that list it. */
export interface WrittenTenant {
  tenant: string
  connections: readonly string[]
}

/** The tenants are read this long after a change, ms: changes come in many parts. */
const readAgainMs = 1_000

type ActionCall = Extract<keyof Handlers, 'actions.state' | 'actions.arm' | 'actions.lock' | 'actions.expected'>

/** Actions on devices and places (docs/actions.md): what the operator may do now, and the jobs. */
export interface Actions {
  handlers: Pick<Handlers, ActionCall> & JobHandlers
  /** Guards and records the mutations that the operator writes. */
  written: WrittenMutations
  /** What the team's log does to the jobs. */
  team: TeamEvents
  /** Restores the jobs that are not ended. To be called before the connections open. */
  restore(): Promise<void>
  /** Handles that the screen was locked: all tenants are locked, confirmed jobs continue. */
  lock(): void
  /** Handles that the computer sleeps, or that time was lost: all tenants are locked, and jobs wait for the operator. */
  sleep(): void
  /** Handles changed connections, tenants or settings. */
  changed(): void
  /** Handles a change of the inventory: it may prove a reboot. */
  applyChange(change: Change): void
  /** Resolves when nothing is sent any more. */
  stop(): Promise<void>
}

interface Parts {
  options: ActionsOptions
  off: () => ActionsState['off']
  tenants: ActionTenants
  arming: Arming
  offers: Offers
  jobs: Jobs
}

export function openActions(options: ActionsOptions): Actions {
  const { data, clock, lockEvents, fixedOff, team, settings, senders, onState, log } = options
  const tenants = createTenants(data, senders)
  const choice = createSenderChoice(clock)
  const off = () => fixedOff ?? (settings().actions ? null : 'off')
  const publish = () => onState(() => stateOf(parts))
  const arming = createArming({
    clock,
    lockEvents,
    isOff: () => off() !== null,
    linksOf: (key) => new Set(tenants.get(key)?.senders.map(({ link }) => link)),
    onChange: publish,
  })
  const offers = createOffers(choice, clock, publish)
  const others = openOtherJobs({ data, clock, log, team, onChange: publish })
  const jobs = openJobs(options, { tenants, choice, offers, others, publish })
  const parts: Parts = { options, off, tenants, arming, offers, jobs }
  const places = createPlaceGuard(() => jobs.list().filter(({ id }) => others.counts(id)))
  const sheets = createSheets({
    data,
    clock,
    log,
    tenants,
    choice,
    isArmed: (tenant) => arming.until(tenant) !== null,
    isBusy: jobs.isBusy,
    placeConflict: places.conflict,
  })
  const again = refreshSoon(parts, publish)
  return {
    handlers: {
      ...actionHandlers(parts),
      ...jobHandlers({ data, jobs, sheets, places, use: arming.use, shown: others.shown }),
    },
    written: createWrittenMutations({ data, clock, log, tenants, arming, jobs, owner: others.owner }),
    team: jobs.team,
    restore: jobs.restore,
    lock: () => arming.lock(),
    sleep() {
      arming.lock()
      jobs.sleep()
    },
    changed() {
      arming.recheck()
      offers.follow(senders())
      if (off() !== null) jobs.block({ kind: 'actions-off', detail: '' })
      again.plan()
    },
    applyChange: jobs.applyChange,
    async stop() {
      again.stop()
      others.stop()
      arming.stop()
      await jobs.stop()
      offers.stop()
    },
  }
}

/** Opens the jobs: they send with the connections that list a device's tenant. */
function openJobs(
  { data, clock, log, onExpected, onWritten }: ActionsOptions,
  {
    tenants,
    choice,
    offers,
    others,
    publish,
  }: Pick<Parts, 'tenants' | 'offers'> & { choice: SenderChoice; others: OtherJobs; publish: () => void },
): Jobs {
  const listing = (key: string) => (tenants.get(key)?.senders ?? []).map(({ connection }) => connection)
  return createJobs({
    data,
    clock,
    log,
    others,
    onChange: publish,
    onExpected,
    onWritten: (keys, kind) =>
      onWritten(
        keys.map((key) => ({ tenant: key, connections: listing(key) })),
        kind,
      ),
    onPermission: offers.notePermission,
    senderFor(key, { kind, linkedDevices }, after, connections) {
      const tenant = tenants.get(key)
      if (tenant === undefined) return { obstacle: 'paused' }
      return choice.chooseSender(tenant, connections ?? listing(key), kind, neededFor(kind, linkedDevices, after))
    },
    async ready(keys, signal) {
      await tenants.refresh()
      await offers.known(
        keys.flatMap((key) => tenants.get(key)?.senders ?? []),
        signal,
      )
    },
  })
}

function actionHandlers(parts: Parts): Pick<Handlers, ActionCall> {
  const { tenants, offers, arming, off, jobs } = parts
  return {
    'actions.state': async () => {
      await tenants.refresh()
      if (off() === null) offers.want()
      return stateOf(parts)
    },
    'actions.arm': async ({ tenant }) => {
      await tenants.refresh()
      return { until: arming.arm(tenant) }
    },
    'actions.lock': async ({ tenant }) => {
      arming.lock(tenant)
      return {}
    },
    'actions.expected': async ({ device }) => ({ reboot: jobs.expected(device) }),
  }
}

const readByOf = (operator: string | null) => (operator === null ? {} : { readBy: operator })

const stateOf = ({ options, off, tenants, arming, offers, jobs }: Parts): ActionsState => ({
  off: off(),
  lockEvents: options.lockEvents,
  tenants: tenants.all().map((tenant) => ({
    tenant: tenant.key,
    name: tenant.name,
    ...offers.of(tenant),
    ...(tenant.senders.length === 0 && readByOf(options.readBy(tenant.connections))),
    armedUntil: arming.until(tenant.key),
  })),
  jobs: jobs.list(),
})

/** Reads the tenants again some time after a change. */
function refreshSoon({ options: { clock, log }, tenants }: Parts, publish: () => void) {
  let pending: (() => void) | null = null
  return {
    plan() {
      pending ??= clock.after(readAgainMs, () => {
        pending = null
        tenants.refresh().then(publish, () => log('warn', 'the tenants of actions could not be read'))
      })
    },
    stop: () => pending?.(),
  }
}
