import { afterEach, expect, test } from 'vitest'
import { clockAt } from '../../bench/pacing/accelerated.ts'
import { startRandom, type Random } from '../../src-service/world/random.ts'
import type { InventoryQuery } from '../../src-shared/model/inventory.ts'
import type { JobDevice } from '../../src-shared/model/jobs.ts'
import { forkConsole } from '../support/console-process.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  service,
  temporaryProfile,
  until,
  whenRead,
} from '../support/fleet.ts'
import { idOf, jobsOf, loggedIds, noteArrivals, reboot, repeatedOf, untrueNames } from '../support/jobs-console.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const timeout = 150_000
const online: InventoryQuery = { ...allByName, filter: 'status:online' }

/** A service that answers mutations late now and then, and lives of a core on one profile that can be killed. */
async function setup(devices: number, random: Random) {
  const pace = { factor: 20, start: Date.now() }
  const clock = clockAt(pace)
  const reference = await service(leftovers, {
    devices,
    tenants: 1,
    life: false,
    points: false,
    now: clock.now,
    reboots: { seconds: [5, 20] },
  })
  const profile = temporaryProfile(leftovers)
  let onArrival = (_count: number) => {}
  const arrivals = noteArrivals(reference, (count) => onArrival(count))
  const isMutation = { match: ({ query }: { query: string }) => query.startsWith('mutation') }
  for (const ms of [20, 60])
    reference.misfortune.always('latency', { ...isMutation, ms, share: 0.5, seed: random.int(1, 1_000_000) })
  return {
    clock,
    reference,
    arrivals,
    /** A core that is not connected yet. */
    async life() {
      const muster = await forkConsole(leftovers, profile, pace)
      const connect = async () => {
        const [known] = (await muster.call('app.state', {})).connections
        await muster.call('connections.save', connectionTo(reference, { id: known?.id ?? null }))
        await whenRead(muster)
      }
      return { ...jobsOf(muster), muster, connect }
    },
    /** Resolves when so many more operations have arrived. */
    arrived(more: number) {
      const wanted = arrivals.operations.length + more
      return new Promise<void>((resolve) => {
        onArrival = (count) => {
          if (count >= wanted) resolve()
        }
        onArrival(arrivals.operations.length)
      })
    },
  }
}

type Setup = Awaited<ReturnType<typeof setup>>
type Life = Awaited<ReturnType<Setup['life']>>

/**
 * Kills the core at a drawn operation, and starts it again. In the next life the job is interrupted, all of its devices are
 * there, and nothing is sent by itself, nor while the tenant is locked.
 */
async function killed(of: Setup, life: Life, job: string, more: number): Promise<Life> {
  await of.arrived(more)
  await life.muster.kill()
  const { length } = of.arrivals.operations
  const next = await of.life()
  const before = await next.shown(job)
  expect(before).toMatchObject({ state: 'interrupted', endedAt: null })
  const rows = await next.rows(job)
  expect(new Set(rows.map(({ key }) => key)).size).toBe(before?.devices)
  expect(rows.filter(({ outcome }) => outcome === 'refused' || outcome === 'not-sent')).toEqual([])
  await next.connect()
  await expect(next.muster.call('jobs.control', { job, command: 'continue' })).rejects.toMatchObject({
    fault: { kind: 'locked' },
  })
  expect((await next.shown(job))?.state).toBe('interrupted')
  expect(of.arrivals.operations).toHaveLength(length)
  return next
}

async function goOn({ arm, muster }: Life, job: string): Promise<void> {
  await arm()
  await muster.call('jobs.control', { job, command: 'continue' })
}

/** Returns pending devices that arrived at the service all the same. */
const sentAndPending = ({ arrivals }: Setup, rows: readonly JobDevice[]) => {
  const sent = new Set(arrivals.ids())
  return rows.filter(({ key, outcome }) => outcome === 'pending' && sent.has(idOf(key)))
}

/** Returns how many of these devices the exported history names. */
async function exported({ muster }: Life, keys: readonly string[]): Promise<number> {
  let [text, after] = ['', null as string | null]
  do {
    const part = await muster.call('jobs.export', { from: 0, until: Date.now() * 2, after })
    text += part.text
    after = part.after
  } while (after !== null)
  return keys.filter((key) => text.includes(idOf(key))).length
}

/** The operator sends what stayed unknown: none of it was executed. */
async function again({ arrivals }: Setup, life: Life, job: string): Promise<void> {
  const unknown = (await life.rows(job)).filter(({ outcome }) => outcome === 'unknown')
  if (unknown.length === 0) return
  await life.arm()
  const from = arrivals.operations.length
  const second = await life.startSheet(await life.muster.call('jobs.again', { job, outcomes: ['unknown'] }))
  await life.whenState(second, 'done')
  expect(arrivals.operations.slice(from).flat().toSorted()).toEqual(unknown.map(({ key }) => idOf(key)).toSorted())
}

test.each([1, 2])(
  'a rename that is killed twice sends no device twice, and is true (seed %i)',
  { timeout },
  async (seed) => {
    const random = startRandom(seed)
    const of = await setup(600, random)
    const { reference, arrivals } = of
    const changes: string[] = []
    reference.world.onChange(({ id }) => void changes.push(id))
    let life = await of.life()
    await life.connect()
    const job = await life.start({ kind: 'rename', targets: { query: online }, pattern: 'Killed {n:4}' })
    const keys = (await life.rows(job)).map(({ key }) => key)
    expect(keys.length).toBeGreaterThan(400)
    // Up to eight operations are on their way at a time: some are left after each kill.
    for (const most of [2, 4]) {
      life = await killed(of, life, job, random.int(0, most))
      const { rows } = life
      // What was on its way is read, and then known.
      await until(async () => expect(untrueNames(reference, await rows(job))).toEqual([]))
      expect(sentAndPending(of, await rows(job))).toEqual([])
      await goOn(life, job)
    }
    await life.whenState(job, 'done')
    await until(async () => expect(untrueNames(reference, await life.rows(job))).toEqual([]))
    expect([arrivals.repeated(), repeatedOf(loggedIds(reference)), repeatedOf(changes)]).toEqual([[], [], []])
    await again(of, life, job)
    const rows = await life.rows(job)
    expect(rows.map(({ key }) => reference.world.device(idOf(key))?.name)).toEqual(rows.map(({ after }) => after.name))
    expect([changes.length, repeatedOf(changes)]).toEqual([keys.length, []])
    expect(await exported(life, keys)).toBe(keys.length)
  },
)

test('reboots that are killed three times are sent once each, and are true', { timeout }, async () => {
  const random = startRandom(3)
  const of = await setup(40, random)
  const { reference, arrivals, clock } = of
  let life = await of.life()
  await life.connect()
  const { keys } = await life.keys()
  const began = clock.now()
  /** By the service's own word. */
  const hasRebooted = (key: string) => {
    const { connected, lastConfigRequestDate } = reference.world.device(idOf(key)) ?? {}
    return connected === false || Date.parse(lastConfigRequestDate ?? '') > began
  }
  const job = await life.start(reboot(keys), { waitMinutes: 2 })
  for (const most of [3, 6, 6]) {
    life = await killed(of, life, job, random.int(0, most))
    const rows = await life.rows(job)
    expect(sentAndPending(of, rows)).toEqual([])
    expect(rows.filter(({ key, outcome }) => outcome === 'done' && !hasRebooted(key))).toEqual([])
    await goOn(life, job)
  }
  await life.whenState(job, 'done')
  await until(async () => {
    const wrong = (await life.rows(job)).filter(
      ({ key, outcome }) => outcome !== (hasRebooted(key) ? 'done' : 'unknown'),
    )
    expect(wrong).toEqual([])
  }, 40_000)
  expect([arrivals.repeated(), repeatedOf(loggedIds(reference))]).toEqual([[], []])
  expect(await exported(life, keys)).toBe(keys.length)
})
