import { fork, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { migrateTeam } from '../../src-main/team/database/migrate.ts'
import { createLeftovers, until } from '../support/fleet.ts'
import { digestOf, type MemberAsked, type MemberSaid } from '../support/postgres/member-messages.ts'
import { startProxy, type Proxy } from '../support/postgres/proxy.ts'
import { cutAll } from '../support/postgres/failover.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, poolOf, targetOf } from '../support/postgres/team.ts'

/**
 * Real members in processes of their own, each behind a proxy of its own, while the leader appends 50 rows a second and
 * something happens to one of them every three seconds. `TEAM_ROUND_MS` makes it longer.
 */
const roundMs = Number(process.env['TEAM_ROUND_MS'] ?? 20_000)
const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
const members = 3
const appendMs = 20
const pauseMs = 3000
const database = 'rounds'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

interface Told {
  text: string
  outcome: string
}

interface Member {
  proxy: Proxy
  child: ChildProcess
  leads: boolean
  report: Extract<MemberSaid, { is: 'report' }> | null
}

interface Round {
  postgres: Postgres
  members: Member[]
  told: Told[]
  broken: string[]
  takeovers: number[]
  /** When the present leader was disturbed; null while it is not. */
  disturbedAt: number | null
}

function startChild(round: Round, member: Member): void {
  const child = fork(fileURLToPath(new URL('../support/postgres/member-process.ts', import.meta.url)), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  member.child = child
  member.leads = false
  leftovers.push(() => void child.kill('SIGKILL'))
  child.on('message', (said: MemberSaid) => hear(round, member, said))
  ask(member, { is: 'start', port: member.proxy.port, database, appendMs })
}

const ask = ({ child }: Member, asked: MemberAsked) => void child.send(asked)

function hear(round: Round, member: Member, said: MemberSaid): void {
  if (said.is === 'told') round.told.push(said)
  else if (said.is === 'report') member.report = said
  else if (said.is === 'broken') round.broken.push(said.why)
  else {
    member.leads = said.is === 'leads'
    if (said.is === 'follows' || round.disturbedAt === null) return
    round.takeovers.push(Math.round(performance.now() - round.disturbedAt))
    round.disturbedAt = null
  }
}

/** What happens to a member, and what ends it. */
const misfortunes: Record<string, (member: Member, round: Round) => () => void> = {
  kill(member, round) {
    member.child.kill('SIGKILL')
    return () => startChild(round, member)
  },
  stop({ child }) {
    child.kill('SIGSTOP')
    return () => void child.kill('SIGCONT')
  },
  cut({ proxy }) {
    proxy.cut()
    return proxy.restore
  },
  pull({ proxy }) {
    proxy.freeze()
    return proxy.restore
  },
}

async function run(round: Round, random: () => number): Promise<string[]> {
  const done: string[] = []
  const busy = new Set<Member>()
  const endings: Promise<void>[] = []
  const until = performance.now() + roundMs
  while (performance.now() < until) {
    await pause(pauseMs)
    const dice = random()
    if (dice < 0.15) {
      done.push('database')
      await cutAll(round.postgres, database)
      continue
    }
    const free = round.members.filter((member) => !busy.has(member))
    const leader = free.find(({ leads }) => leads)
    const member = leader !== undefined && random() < 0.5 ? leader : free[Math.floor(random() * free.length)]
    const names = Object.keys(misfortunes)
    const name = names[Math.floor(random() * names.length)] ?? ''
    const begin = misfortunes[name]
    if (member === undefined || begin === undefined || free.length < 2) continue
    done.push(member === leader ? `${name} leader` : name)
    if (member === leader) round.disturbedAt = performance.now()
    busy.add(member)
    const end = begin(member, round)
    endings.push(
      pause(1000 + random() * 8000).then(() => {
        end()
        busy.delete(member)
        // It was too short for anybody else to lead.
        if (member.leads) round.disturbedAt = null
      }),
    )
  }
  await Promise.all(endings)
  return done
}

async function textsOf(postgres: Postgres): Promise<{ text: string; term: number }[]> {
  const sql = `SELECT convert_from(body, 'UTF8') AS text, term::int AS term FROM muster.log ORDER BY number`
  return (await postgres.admin(sql, database)).map(({ text, term }) => ({ text: String(text), term: Number(term) }))
}

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

test.skipIf(noPostgres !== '')(
  `kills, stops and cuts lose no row and double none; seed ${seed}${noPostgres}`,
  { timeout: roundMs + 120_000 },
  async () => {
    const postgres = await startPostgres(leftovers.push)
    await createRoles(postgres)
    await createDatabase(postgres, database)
    await migrateTeam(poolOf(targetOf(postgres, 'muster_owner', database), leftovers.push))
    const round: Round = { postgres, members: [], told: [], broken: [], takeovers: [], disturbedAt: null }
    for (let index = 0; index < members; index += 1) {
      const proxy = await startProxy(postgres.port, leftovers.push)
      const member = { proxy, leads: false, report: null } as unknown as Member
      round.members.push(member)
      startChild(round, member)
    }
    await until(() => expect(round.told.length).toBeGreaterThan(0))
    const done = await run(round, randomOf(seed))
    for (const member of round.members) ask(member, { is: 'quiet' })
    const rows = await until(() => settled(round), 60_000)
    judge(round, rows)
    console.log(
      `${rows.length} rows in ${rows.at(-1)?.term ?? 0} terms; ${done.join(', ')}; takeovers: ${round.takeovers.join(', ')} ms`,
    )
  },
)

/** Resolves with the log's rows, when each member has all of them. */
async function settled(round: Round): Promise<{ text: string; term: number }[]> {
  expect(round.broken).toEqual([])
  for (const member of round.members) ask(member, { is: 'quiet' })
  for (const member of round.members) ask(member, { is: 'report' })
  const rows = await textsOf(round.postgres)
  const texts = rows.map(({ text }) => text)
  const digest = digestOf(texts)
  await until(
    () => expect(round.members.map(({ report }) => report?.digest)).toEqual(round.members.map(() => digest)),
    500,
  )
  return rows
}

function judge(round: Round, rows: readonly { text: string; term: number }[]): void {
  expect(round.broken).toEqual([])
  const texts = rows.map(({ text }) => text)
  const there = new Set(texts)
  expect(there.size).toBe(texts.length)
  const stored = round.told.filter(({ outcome }) => outcome === 'stored')
  expect(stored.filter(({ text }) => !there.has(text))).toEqual([])
  expect(round.told.filter(({ text, outcome }) => outcome === 'fenced' && there.has(text))).toEqual([])
  expect(stored.length).toBeGreaterThan(0)
  const terms = rows.map(({ term }) => term)
  expect(terms).toEqual(terms.toSorted((one, other) => one - other))
  // In each term the rows are one member's, in the order in which they were appended, without gaps.
  const counts = new Map<string, number>()
  for (const { text, term } of rows) {
    const [member, ofTerm, count] = text.split(' ')
    expect(Number(ofTerm)).toBe(term)
    const key = `${member} ${ofTerm}`
    expect(Number(count)).toBe((counts.get(key) ?? 0) + 1)
    counts.set(key, Number(count))
  }
  expect(counts.size).toBe(new Set(terms).size)
}
