import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import { openBell } from '../../src-main/team/lead/bell.ts'
import { follow } from '../../src-main/team/log/follow.ts'
import { openLogStore } from '../../src-main/team/log/sql-log.ts'
import { teamLog } from '../../src-main/team/replica/replica.ts'
import { forkConsole, type ConsoleProcess } from '../../test/support/console-process.ts'
import { createLeftovers, temporaryProfile, type Leftovers } from '../../test/support/fleet.ts'
import { startPostgres, type Postgres } from '../../test/support/postgres/server.ts'
import { createDatabase, createRoles, passwords, poolOf, targetOf } from '../../test/support/postgres/team.ts'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { addressesOf, forkReference, type Reference } from '../support/reference.ts'

/**
 * Twenty members on one machine under many events: three consoles, each in a process of its own, and seventeen that only
 * follow the log. What the database and a member compute, and how far a follower is behind. The baseline is a Muster on its
 * own with the same events. Processor time is that of Linux's `/proc`; elsewhere those rows are left out.
 */
const devices = 5000
const [consoles, followers] = [3, 17]
const perSecond = 120
const measuredMs = 30_000
const database = 'load'

/** The fields of a process behind its name; none for one that has ended. */
function statOf(pid: number | string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Processor time of a process with its threads, and of its ended children, ms. */
function processorMs(pid: number): number {
  const fields = statOf(pid)
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
  return ticks * 10
}

const parentOf = (pid: string): string => statOf(pid)[1] ?? ''

/** Processor time of the database server with all its processes, ms. */
async function databaseMs(postgres: Postgres): Promise<number> {
  const [row] = await postgres.admin(`SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1) AS pid`)
  const server = String(row?.['pid'])
  const all = readdirSync('/proc').filter((pid) => /^\d+$/u.test(pid) && parentOf(pid) === server)
  return [server, ...all].reduce((sum, pid) => sum + processorMs(Number(pid)), 0)
}

/** Share of one processor, per cent, while the events come. */
async function loadOf(read: () => Promise<number>[]): Promise<number[]> {
  const before = await Promise.all(read())
  const began = performance.now()
  await setTimeout(measuredMs)
  const after = await Promise.all(read())
  const ms = performance.now() - began
  return after.map((value, index) => ((value - (before[index] ?? 0)) / ms) * 100)
}

async function untilLive(muster: ConsoleProcess): Promise<void> {
  for (;;) {
    const { totals, connections } = await muster.call('app.state', {})
    const all = totals.connected + totals.disconnected + totals.unknown
    // Some devices of the service have never been connected.
    if (
      all === devices &&
      totals.unknown < devices / 10 &&
      connections.every(({ sync, link }) => sync.state === 'idle' && link.state === 'live')
    )
      return
    await setTimeout(200)
  }
}

const connectTo = (reference: Reference) => ({
  id: null,
  name: 'bench',
  subscription: '' as const,
  portal: '' as const,
  ...addressesOf(reference),
})

async function joined(leftovers: Leftovers, postgres: Postgres, name: string): Promise<ConsoleProcess> {
  const muster = await forkConsole(leftovers, temporaryProfile(leftovers))
  const role = name === 'first' ? 'muster_owner' : 'anna'
  const address = teamAddressText(targetOf(postgres, role, database).address)
  await muster.call('team.join', {
    typed: { address, password: passwords[role], ca: '', operator: name },
    share: false,
  })
  while ((await muster.call('team.read', {})).joined?.isCatchingUp !== false) await setTimeout(50)
  return muster
}

/** What a Muster on its own computes with these events, per cent of a processor. */
async function alone(): Promise<number> {
  const leftovers = createLeftovers()
  const reference = await forkReference({ devices, tenants: 5 })
  const muster = await forkConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectTo(reference))
  await untilLive(muster)
  reference.change(perSecond)
  const [load = Number.NaN] = await loadOf(() => [Promise.resolve(processorMs(muster.pid))])
  await leftovers.clean()
  await reference.stop()
  return load
}

interface TeamLoad {
  lags: number[]
  rows: number
  database: number
  leader: number
  follower: number
}

async function team(hasProc: boolean): Promise<TeamLoad> {
  const leftovers = createLeftovers()
  const postgres = await startPostgres((stop) => leftovers.push(stop))
  await createRoles(postgres)
  await createDatabase(postgres, database)
  const reference = await forkReference({ devices, tenants: 5 })
  const first = await joined(leftovers, postgres, 'first')
  await first.call('connections.save', connectTo(reference))
  await untilLive(first)
  const others: ConsoleProcess[] = []
  for (let n = 2; n <= consoles; n += 1) others.push(await joined(leftovers, postgres, `member ${n}`))
  for (const each of others) await untilLive(each)
  const child = fork(fileURLToPath(import.meta.url), ['--followers', String(postgres.port)], { execArgv: [] })
  leftovers.push(() => void child.kill())
  await once(child, 'message')
  reference.change(perSecond)
  // What began before is over.
  await setTimeout(5000)
  child.send('begin')
  const none = Promise.resolve(0)
  const of = (muster: ConsoleProcess | undefined) =>
    hasProc && muster !== undefined ? Promise.resolve(processorMs(muster.pid)) : none
  const [server = 0, leader = 0, follower = 0] = await loadOf(() => [
    hasProc ? databaseMs(postgres) : none,
    of(first),
    of(others[0]),
  ])
  child.send('end')
  const [{ lags, rows }] = (await once(child, 'message')) as [Pick<TeamLoad, 'lags' | 'rows'>]
  await leftovers.clean()
  await reference.stop()
  return { lags, rows, database: server, leader, follower }
}

/** Follows the log as members without a window, an inventory or files do, and measures how old its rows are. */
async function runFollowers(port: number): Promise<void> {
  let lags: number[] = []
  let rows = 0
  const leftovers = createLeftovers()
  for (let n = 0; n < followers; n += 1) {
    const target = targetOf({ port }, 'anna', database)
    const pool = poolOf(target, (stop) => leftovers.push(stop))
    const bell = openBell(target)
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    follow({
      store: openLogStore(pool, teamLog),
      clock: target.clock,
      bell,
      from: null,
      onRows(page) {
        const now = Date.now()
        rows += page.length
        for (const { at } of page) lags.push(now - at)
        resolve()
      },
      onSnapshot: () => resolve(),
    })
    await begun
  }
  process.on('message', (word) => {
    if (word === 'end') process.send?.({ lags, rows: rows / followers })
    lags = []
    rows = 0
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
}

export async function run(): Promise<BenchRow[]> {
  const hasProc = process.platform === 'linux'
  const baseline = hasProc ? await alone() : null
  const { lags, rows, database: server, leader, follower } = await team(hasProc)
  const row = (name: string, value: number, unit: string, of: number | null): BenchRow => ({
    name: `team of ${consoles + followers}, ${perSecond} events a second: ${name}`,
    value,
    unit,
    baseline: of,
    target: null,
    holds: null,
  })
  return [
    row('age of a row of the log at a follower, p99', percentile(lags, 0.99), 'ms', null),
    row('rows of the log', rows / (measuredMs / 1000), '/s', null),
    ...(hasProc
      ? [
          row('processor of the database', server, '%', null),
          row('processor of the leader (baseline: a Muster on its own)', leader, '%', baseline),
          row('processor of another console (baseline: a Muster on its own)', follower, '%', baseline),
        ]
      : []),
  ]
}

if (process.argv[2] === '--followers') await runFollowers(Number(process.argv[3]))
