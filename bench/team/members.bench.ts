import { setTimeout } from 'node:timers/promises'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import {
  allByName,
  createLeftovers,
  openConsole,
  temporaryProfile,
  type Console,
  type Leftovers,
} from '../../test/support/fleet.ts'
import { startPostgres, type Postgres } from '../../test/support/postgres/server.ts'
import { createDatabase, createRoles, passwords, targetOf } from '../../test/support/postgres/team.ts'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { connect, forkReference, type Reference } from '../support/reference.ts'

/**
 * A team on one machine: the service and PostgreSQL in processes of their own, the members' cores in this one, each with its
 * data thread. What ten members cost the service beside one; how long an event takes to another member's row, and an act to
 * another member's screen; how long a Muster needs to join a team with 30,000 devices.
 */
const devices = 5000
const members = 10
const pointsMs = 90_000
const events = 100
const acts = 30

type Member = Console

async function join(leftovers: Leftovers, postgres: Postgres, database: string, name: string): Promise<Member> {
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const role = name === 'first' ? 'muster_owner' : 'anna'
  const address = teamAddressText(targetOf(postgres, role, database).address)
  await muster.call('team.join', {
    typed: { address, password: passwords[role], ca: '', operator: name },
    share: false,
  })
  await untilTrue(async () => (await muster.call('team.read', {})).joined?.isCatchingUp === false)
  return muster
}

async function untilTrue(holds: () => Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await holds())) await setTimeout(everyMs)
}

const isRead = async (muster: Member, count: number) => {
  const { total } = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })
  const { totals, connections } = await muster.call('app.state', {})
  return total === count && totals.unknown < count / 10 && connections.every(({ sync }) => sync.state === 'idle')
}

/** Points that a fleet costs within the time after its first sync. */
async function pointsOf(reference: Reference, leftovers: Leftovers, start: () => Promise<Member[]>): Promise<number> {
  await reference.counts()
  const all = await start()
  const [first] = all
  if (first !== undefined) await untilTrue(() => isRead(first, devices))
  await setTimeout(pointsMs)
  const { points } = await reference.counts()
  await leftovers.clean()
  return points
}

async function points(postgres: Postgres): Promise<BenchRow> {
  const reference = await forkReference({ devices, tenants: 5 })
  const leftovers = createLeftovers()
  const alone = await pointsOf(reference, leftovers, async () => {
    const muster = await openConsole(leftovers, temporaryProfile(leftovers))
    await connect(muster.core, reference)
    return [muster]
  })
  await createDatabase(postgres, 'points')
  const team = await pointsOf(reference, leftovers, async () => {
    const first = await join(leftovers, postgres, 'points', 'first')
    await connect(first.core, reference)
    const all = [first]
    for (let n = 2; n <= members; n += 1) all.push(await join(leftovers, postgres, 'points', `member ${n}`))
    return all
  })
  await reference.stop()
  const value = team / alone
  return {
    name: `team: points of ${members} members over those of one`,
    value,
    unit: 'times',
    baseline: 1,
    target: 1.02,
    holds: value <= 1.02,
  }
}

async function delays(postgres: Postgres): Promise<BenchRow[]> {
  const reference = await forkReference({ devices, tenants: 5 })
  const leftovers = createLeftovers()
  await createDatabase(postgres, 'delays')
  const first = await join(leftovers, postgres, 'delays', 'first')
  await connect(first.core, reference)
  const [second, third] = [
    await join(leftovers, postgres, 'delays', 'second'),
    await join(leftovers, postgres, 'delays', 'third'),
  ]
  await untilTrue(() => isRead(third, devices))
  const own: number[] = []
  const others: number[] = []
  for (const [muster, into] of [
    [first, own],
    [third, others],
  ] as const)
    muster.core.on('patch', ({ devices: rows }) => {
      for (const { since } of rows) if (since?.kind === 'seen') into.push(Date.now() - since.at)
    })
  const shown: number[] = []
  for (let n = 0; n < acts; n += 1) {
    const view = { id: 'act', name: `Act ${n}`, query: allByName, columns: null, isDefault: false }
    const { promise: seen, resolve } = Promise.withResolvers<void>()
    const off = third.core.on('views', (views) => {
      if (views.some(({ name }) => name === view.name)) resolve()
    })
    const began = performance.now()
    await second.call('views.save', view)
    await seen
    off()
    shown.push(performance.now() - began)
    await setTimeout(200)
  }
  reference.change(20)
  while (others.length < events) await setTimeout(100)
  await leftovers.clean()
  await reference.stop()
  const row = (name: string, values: number[], baseline: number | null, target: number): BenchRow => {
    const value = percentile(values, 0.95)
    return { name, value, unit: 'ms', baseline, target, holds: value <= target }
  }
  return [
    row(
      'team: event at the service to another member’s row, p95 (baseline: to the leader’s)',
      others,
      percentile(own, 0.95),
      500,
    ),
    row('team: act to another member’s screen, p95', shown, null, 300),
  ]
}

async function joining(postgres: Postgres): Promise<BenchRow> {
  const count = 30_000
  const reference = await forkReference({ devices: count, tenants: 6 })
  const leftovers = createLeftovers()
  await createDatabase(postgres, 'joining')
  const first = await join(leftovers, postgres, 'joining', 'first')
  await connect(first.core, reference)
  await untilTrue(() => isRead(first, count), 500)
  await untilTrue(
    async () => (await postgres.admin('SELECT FROM muster.snapshot WHERE number > 300', 'joining')).length > 0,
    1000,
  )
  const began = performance.now()
  const second = await join(leftovers, postgres, 'joining', 'second')
  await untilTrue(() => isRead(second, count))
  const value = performance.now() - began
  await leftovers.clean()
  await reference.stop()
  return {
    name: 'team: joining with 30,000 devices',
    value,
    unit: 'ms',
    baseline: null,
    target: 5000,
    holds: value <= 5000,
  }
}

export async function run(): Promise<BenchRow[]> {
  const leftovers = createLeftovers()
  const postgres = await startPostgres((stop) => leftovers.push(stop))
  await createRoles(postgres)
  const rows = [await joining(postgres), ...(await delays(postgres)), await points(postgres)]
  await leftovers.clean()
  return rows
}
