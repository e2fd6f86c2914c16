import { expect } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import type { ActionRequest, Job, JobDevice, JobPlan } from '../../src-shared/model/jobs.ts'
import { until, type Console } from './fleet.ts'

export const atOnce: JobPlan = { batch: null, waitMinutes: 5, stopAfter: null, at: null, includeInCall: true }

export const reboot = (keys: string[]): ActionRequest => ({ kind: 'reboot', targets: { keys }, linkedDevices: false })
export const rename = (keys: string[], pattern: string): ActionRequest => ({
  kind: 'rename',
  targets: { keys },
  pattern,
})

/** What an operator does with jobs, for tests. */
export function jobsOf({ call }: Pick<Console, 'call'>) {
  const tenants = async () => {
    await until(async () => expect((await call('actions.state', {})).tenants[0]?.unknown).toEqual([]))
    return (await call('actions.state', {})).tenants
  }
  const shown = async (job: string) => (await call('jobs.show', { job })).job
  const rows = async (job: string): Promise<JobDevice[]> => {
    const all: JobDevice[] = []
    for (;;) {
      const part = await call('jobs.devices', { job, outcomes: null, offset: all.length, limit: 500 })
      all.push(...part.rows)
      if (part.rows.length === 0 || all.length >= part.total) return all
    }
  }
  const arm = async () => {
    for (const { tenant } of await tenants()) await call('actions.arm', { tenant })
  }
  /** Starts a sheet that is prepared already. */
  const startSheet = async ({ id, confirm }: { id: string; confirm: string | null }, plan: Partial<JobPlan> = {}) =>
    (await call('jobs.start', { sheet: id, confirmation: confirm ?? '', plan: { ...atOnce, ...plan } })).job
  return {
    rows,
    shown,
    tenants,
    arm,
    startSheet,
    /** Resolves with the keys of the devices that are online. */
    keys: () =>
      call('inventory.keys', {
        query: { scope: 'all', filter: 'status:online', sort: [{ column: 'name', direction: 'asc' }] },
        offset: 0,
        limit: 500,
      }),
    prepare: (request: ActionRequest) => call('jobs.prepare', request),
    async start(request: ActionRequest, plan: Partial<JobPlan> = {}) {
      // By a fast clock the tenant may be locked again by now.
      await arm()
      return startSheet(await call('jobs.prepare', request), plan)
    },
    whenState: (job: string, state: Job['state']) =>
      until(async () => {
        const found = await shown(job)
        expect([found?.state, found?.fault, await rows(job)]).toEqual([state, null, expect.anything()])
        return found
      }, 40_000),
  }
}

/** Returns the id of a device from its key. */
export const idOf = (key: string): string => decodeURIComponent(key.slice(key.lastIndexOf('/') + 1))

/** The devices that the mutations of an operation name, once for each time that they are named. */
function namedIn(variables: Record<string, unknown>): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    /^(?:id|i\d+)$/u.test(name) && typeof value === 'string' ? [value] : [],
  )
}

export interface Arrivals {
  /** Ids of the devices of each operation, in the order in which the operations arrived, answered or not. */
  operations: string[][]
  /** Returns every id, once for each time that it arrived. */
  ids(): string[]
  /** Returns the ids that arrived more than once. */
  repeated(): string[]
}

/** Notes each mutation of devices when it arrives at the service, before it is executed. `onArrival`: called with each. */
export function noteArrivals(
  { misfortune }: Pick<Service, 'misfortune'>,
  onArrival: (count: number) => void = () => {},
): Arrivals {
  const operations: string[][] = []
  misfortune.always('latency', {
    ms: 0,
    match({ operationName, variables }) {
      if (operationName !== 'UpdateDevices' && operationName !== 'Reboot') return false
      operations.push(namedIn(variables))
      onArrival(operations.length)
      return false
    },
  })
  return { operations, ids: () => operations.flat(), repeated: () => repeatedOf(operations.flat()) }
}

export function repeatedOf(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return ids.filter((id) => seen.has(id) || !seen.add(id))
}

/** Returns the ids of devices that answered mutations in the service's own log name. */
export const loggedIds = ({ operations }: Pick<Service, 'operations'>): string[] =>
  operations().flatMap(({ operationName, variables }) =>
    operationName === 'UpdateDevices' || operationName === 'Reboot' ? namedIn(variables) : [],
  )

/**
 * Returns what is untrue of a rename's rows: a device that is done has its new name, any other one its former name, also
 * one that is unknown, once it could be read.
 */
export function untrueNames({ world }: Pick<Service, 'world'>, rows: readonly JobDevice[]): string[] {
  return rows.flatMap(({ key, outcome, before, after }) => {
    const name = world.device(idOf(key))?.name
    const expected = outcome === 'done' ? after.name : before.name
    return name === expected ? [] : [`${key} is ${outcome} and named ${name}`]
  })
}
