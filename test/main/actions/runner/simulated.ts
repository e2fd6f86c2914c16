import { FaultError, type Fault } from '../../../../src-shared/model/fault.ts'
import type { ExpectedReboot, JobPlan } from '../../../../src-shared/model/jobs.ts'
import { createJobs, type Jobs } from '../../../../src-main/actions/runner/jobs.ts'
import { openOtherJobs } from '../../../../src-main/actions/runner/other-jobs.ts'
import type { JobsOptions } from '../../../../src-main/actions/runner/ports.ts'
import type { Mutations, ReadDevice, SendSignals, SentOutcome } from '../../../../src-main/api/mutations/mutations.ts'
import type { SheetJob } from '../../../../src-main/actions/sheets/sheets.ts'
import type { StoredJob } from '../../../../src-main/storage/journal/job-records.ts'
import type { ManualClock } from '../../../support/clock.ts'
import { emptyJob } from '../engine/empty-job.ts'

/** What the simulated service does with one reboot. `unsent`: the first try finds no way, and the next one reboots. */
export const fates = [
  'reboots',
  'lost',
  'refuses',
  'ignores',
  'no-answer',
  'swallowed',
  'unsent',
  'offline',
  'in-call',
] as const
export type Fate = (typeof fates)[number]

/** What happens at the so-many-th call of a port: `crash`: Muster dies before or after it; `disk`: the write is rejected. */
export interface Disturbance {
  at: number
  kind: 'crash' | 'disk' | 'pause' | 'stop' | 'sleep' | 'quit'
}

export const plan: JobPlan = { batch: null, waitMinutes: 5, stopAfter: null, at: null, includeInCall: false }

export const sheetJob = (devices: number): SheetJob => {
  const { record, targets } = emptyJob(devices, plan)
  const { kind, place, tenants, undoes, linkedDevices, fields } = record
  return { record: { kind, place, tenants, undoes, linkedDevices, fields }, targets: [...targets] }
}

interface Device {
  arrived: number
  tried: number
  rebooted: boolean
  isBack: boolean
  connected: boolean
  checkIn: number
  transitions: { at: number; notBefore: number | null; connected: boolean }[]
}

/** Sets a promise that is resolved by the returned function. */
function held(set: (until: Promise<void> | null) => void): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  set(promise)
  return () => {
    set(null)
    resolve()
  }
}

/** The jobs of others, where there are none. */
const alone = (clock: ManualClock) =>
  openOtherJobs({ data: { otherJobs: async () => [] }, clock, log: () => {}, team: null, onChange: () => {} })

/** What is read of no other job. */
const nothing = {
  job: async () => null,
  jobs: async () => ({ total: 0, rows: [] }),
  takenDevices: async () => [],
  takeJob: async () => {},
  locations: async () => ({ tenants: [] }) as never,
}

const never = new Promise<never>(() => {})
const withdrawn: SentOutcome = { outcome: 'not-sent', fault: { kind: 'abort', detail: '' } }

const isOpen = ({ record: { endedAt }, targets }: StoredJob, endedSince: number): boolean =>
  endedAt === null || (endedAt >= endedSince && targets.some(({ outcome }) => outcome === 'unknown'))

/** A service, a disk and a Muster that can die. What is stored and what devices do outlives it. */
export function simulatedWorld(clock: ManualClock, given: readonly Fate[], disturbances: readonly Disturbance[] = []) {
  const disk = new Map<string, StoredJob>()
  const devices: Device[] = given.map((fate) => ({
    arrived: 0,
    tried: 0,
    rebooted: false,
    isBack: true,
    connected: fate !== 'offline',
    checkIn: 1,
    transitions: [],
  }))
  const expected: ExpectedReboot[][] = []
  let hasSender = true
  let hasPoints = true
  let readFault: Fault | null = null
  let isDiskFull = false
  let writesHeld: Promise<void> | null = null
  let looksHeld: Promise<void> | null = null
  const withoutPoints: (() => void)[] = []
  let isInventoryFilled = true
  let unwritten = 0
  let writes = 0
  let calls = 0
  let die = () => {}
  let onCreated = () => {}
  let jobs: Jobs = openJobs()

  function transition(position: number, connected: boolean) {
    const device = devices[position]
    if (device === undefined) return
    const one = { at: clock.now(), notBefore: null, connected }
    device.connected = connected
    device.transitions.unshift(one)
    if (connected) device.checkIn = clock.now()
    jobs.applyChange({ transitions: [{ key: `service/tenant/${position}`, ...one }] })
  }

  function arrive(position: number): SentOutcome {
    const device = devices[position]
    const fate = given[position]
    if (device === undefined) return { outcome: 'refused', words: '', fault: null }
    device.tried += 1
    if (![...disk.values()].some(({ targets }) => targets[position]?.outcome === 'sent')) unwritten += 1
    if (fate === 'unsent' && device.tried === 1) return { outcome: 'not-sent', fault: { kind: 'connect', detail: '' } }
    device.arrived += 1
    if (fate === 'refuses') return { outcome: 'refused', words: 'busy', fault: null }
    if (fate === 'reboots' || fate === 'lost' || fate === 'no-answer' || fate === 'unsent') {
      device.rebooted = true
      device.isBack = fate !== 'lost'
      clock.after(1_000, () => transition(position, false))
      if (fate !== 'lost') clock.after(60_000, () => transition(position, true))
    }
    return fate === 'no-answer' || fate === 'swallowed'
      ? { outcome: 'unknown', words: 'no answer' }
      : { outcome: 'confirmed', id: null }
  }

  /** Resolves with whether there are points for an order, or with false once it is withdrawn before. */
  const pointsOr = (withdraw: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      if (hasPoints) return resolve(true)
      withoutPoints.push(() => resolve(!withdraw.aborted))
      withdraw.addEventListener('abort', () => resolve(false))
    })

  /** A Muster on this disk. When it has died its calls never return, and do nothing. */
  function openJobs(): Jobs {
    let alive = true
    die = () => (alive = false)
    const disturb = (isWrite: boolean) => {
      calls += 1
      const found = disturbances.find(({ at }) => at === calls)
      if (found?.kind === 'crash') {
        alive = false
        queueMicrotask(reopen)
      }
      if (found?.kind === 'disk' && isWrite) throw new FaultError('storage', 'full')
      if (found?.kind === 'sleep') jobs.sleep()
      if (found?.kind === 'pause' || found?.kind === 'stop')
        for (const id of disk.keys()) void jobs.control(id, found.kind).catch(() => {})
      if (found?.kind === 'quit') queueMicrotask(() => void jobs.stop().then(reopen))
    }
    const port = async <T>(run: () => T | Promise<T>, isWrite = false): Promise<T> => {
      if (!alive) return never
      disturb(isWrite)
      if (isWrite && writesHeld !== null) await writesHeld
      if (isWrite && isDiskFull) throw new FaultError('storage', 'full')
      if (!alive) return never
      const result = await run()
      if (!isWrite) disturb(false)
      return alive ? result : never
    }
    const read = (id: string): ReadDevice | null => {
      const device = devices[Number(id)]
      const call = given[Number(id)] === 'in-call' ? 'in-call' : 'free'
      return device ? { id, connected: device.connected, lastConfigRequestDate: device.checkIn, call } : null
    }
    const mutations = {
      reboot: (id: string, _linked: boolean, { withdraw }: SendSignals) =>
        port(async () => ((await pointsOr(withdraw)) ? arrive(Number(id)) : withdrawn)).then(
          (outcome) => new Promise<SentOutcome>((resolve) => clock.after(10, () => (alive ? resolve(outcome) : null))),
        ),
      read: (ids: readonly string[]) =>
        port(() => {
          if (readFault !== null) throw new FaultError(readFault.kind, readFault.detail)
          return ids.map(read)
        }),
    } as unknown as Mutations
    return createJobs({
      clock,
      others: alone(clock),
      log: () => {},
      onChange: () => {},
      onExpected: (all) => void expected.push([...all]),
      onPermission: () => {},
      onWritten: () => {},
      ready: async () => {},
      senderFor: () =>
        hasSender
          ? { sender: { connection: 'c', service: 'service', link: devices, mutations } }
          : { obstacle: 'paused' },
      data: {
        createJob: (job) =>
          port(() => {
            disk.set(job.record.id, structuredClone(job))
            onCreated()
          }, true),
        saveJob: ({ record, changed }) =>
          port(() => {
            writes += 1
            const stored = disk.get(record.id)
            if (stored === undefined) throw new FaultError('input', 'the job was erased')
            stored.record = structuredClone(record)
            for (const { position, target } of changed) stored.targets[position] = structuredClone(target)
          }, true),
        openJobs: async ({ endedSince }) =>
          structuredClone([...disk.values()].filter((job) => isOpen(job, endedSince))),
        ...nothing,
        device: async ({ key }) => ({
          rev: 0,
          device: { transitions: devices[Number(key.split('/').at(-1))]?.transitions ?? [] } as never,
        }),
        actionDevices: async ({ of }) =>
          port(async () => {
            await looksHeld
            return {
              total: 0,
              devices: ('keys' in of && isInventoryFilled ? of.keys : []).map((key) => ({
                key,
                connections: ['c'],
                status: devices[Number(key.split('/').at(-1))]?.connected ? 'connected' : 'disconnected',
              })) as never,
            }
          }),
      } satisfies JobsOptions['data'],
    })
  }

  function reopen() {
    die()
    jobs = openJobs()
    void jobs.restore()
  }

  return {
    disk,
    devices,
    expected,
    jobs: () => jobs,
    /** Kills Muster, and starts it again on the same disk. */
    async kill() {
      reopen()
      await jobs.restore()
    },
    /** Calls back when the next job is stored, before the runner knows. */
    whenCreated(run: () => void) {
      onCreated = run
    },
    /** Number of orders that arrived without being on the disk as sent. */
    unwritten: () => unwritten,
    writes: () => writes,
    transition,
    pauseConnection: () => (hasSender = false),
    /** From now on orders wait for points. */
    spend: () => (hasPoints = false),
    /** Lets the orders that wait go. */
    refill() {
      hasPoints = true
      for (const go of withoutPoints.splice(0)) go()
    },
    failReads: (fault: Fault) => (readFault = fault),
    failWrites: (fails: boolean) => (isDiskFull = fails),
    /** Holds all writes to the disk until the returned function is called. */
    holdWrites: () => held((until) => (writesHeld = until)),
    /** Holds all reads of the inventory until the returned function is called. */
    holdLooks: () => held((until) => (looksHeld = until)),
    /** The inventory has no device from now on, as after its file was lost. */
    emptyInventory: () => (isInventoryFilled = false),
  }
}
