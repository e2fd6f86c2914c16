import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repeat, systemClock } from '../../src-shared/lib/clock.ts'
import type { Service } from '../../src-service/service.ts'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import { forkConsole, type ConsoleProcess } from '../support/console-process.ts'
import { allByName, connectionTo, createLeftovers, service, temporaryProfile, until } from '../support/fleet.ts'
import { webhookChannel } from '../support/channels.ts'
import { startReceiver, type Receiver } from '../support/receivers.ts'
import { cutAll, standby } from '../support/postgres/failover.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, targetOf } from '../support/postgres/team.ts'

/*
 * Three Musters in processes of their own. Under 50 changes a second the one that leads and the one that tells people are
 * killed, or the database cuts everyone, or another one takes its place that lacks the newest rows; then all say the same, and what the service says, and people were told it.
 * Takeovers are printed, not judged.
 */

const rounds = Number(process.env['TEAM_ROUNDS'] ?? 5)
const database = 'rounds'
const operators = ['Anna', 'Ben', 'Cleo'] as const
type Operator = (typeof operators)[number]

const leftovers = createLeftovers()
let postgres: Postgres
const skip = noPostgres !== ''

beforeAll(async () => {
  if (skip) return
  postgres = await startPostgres((stop) => leftovers.push(stop))
  await createRoles(postgres)
  await createDatabase(postgres, database)
}, 60_000)
afterAll(() => leftovers.clean(), 60_000)

interface Outside {
  reference: Service
  hook: Receiver
}

interface Member {
  operator: Operator
  profile: string
  muster: ConsoleProcess
}

/** Starts a member on its profile. Secrets last as long as its process, so they are typed again. */
async function start(operator: Operator, profile: string, { reference, hook }: Outside): Promise<Member> {
  const muster = await forkConsole(leftovers, profile)
  const role = operator === 'Anna' ? 'muster_owner' : operator === 'Ben' ? 'anna' : 'berta'
  const typed = {
    address: teamAddressText(targetOf(postgres, role, database).address),
    password: passwords[role],
    ca: '',
    operator,
  }
  await muster.call('team.join', { typed, share: false })
  const id = await until(async () => {
    const { joined } = await muster.call('team.read', {})
    expect(joined).toMatchObject({ link: { is: 'online' }, isCatchingUp: false })
    const [known] = (await muster.call('app.state', {})).connections
    if (operator !== 'Anna') expect(known).toBeDefined()
    return known?.id ?? null
  }, 60_000)
  await muster.call('settings.change', {
    holdOffSeconds: 0,
    recoverySeconds: 0,
    flapTransitions: 100,
    flapMinutes: 5,
    notifyRecovered: false,
  })
  await muster.call('connections.save', { ...connectionTo(reference), id })
  await muster.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } })
  return { operator, profile, muster }
}

const statesOf = async ({ muster }: Member) => {
  const { rows } = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })
  return rows.map(({ id, connected, status }) => [id, connected, status === 'unknown'] as const)
}

/** Which of the members leads, by what it says itself; null: none does. */
async function leaderOf(members: readonly Member[]): Promise<Member | null> {
  for (const member of members) {
    const { joined } = await member.muster.call('team.read', {})
    if (joined?.leads[0]?.leader?.isSelf === true) return member
  }
  return null
}

/** Which of the members sends the channel's messages; null: none does. */
async function senderOf(members: readonly Member[]): Promise<Member | null> {
  for (const member of members) {
    const [status] = (await member.muster.call('channels.read', {})).channels
    if (status?.sender?.isSelf === true) return member
  }
  return null
}

/** The messages to the channel, as a member's journal has them. */
async function messagesOf({ muster }: Member) {
  const all: [string, string][] = []
  for (;;) {
    const page = { state: null, incident: null, offset: all.length, limit: 200 }
    const { total, rows } = await muster.call('channels.deliveries', page)
    all.push(...rows.map(({ id, state }): [string, string] => [id, state]))
    if (all.length >= total || rows.length === 0) return all
  }
}

/** The transitions of all devices, and the incidents, as a member's journal has them. */
async function journalOf({ muster }: Member) {
  const { rows } = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })
  const transitions: [string, boolean[]][] = []
  for (const { id, key } of rows) {
    const { device } = await muster.call('inventory.device', { key })
    transitions.push([id, (device?.transitions ?? []).map(({ connected }) => connected)])
  }
  const closed = await muster.call('incidents.list', { state: 'closed', text: '', offset: 0, limit: 200 })
  const open = await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 200 })
  const incidents = [...closed.rows, ...open.rows].map(({ id }) => id).sort()
  return { transitions, incidents, down: open.rows.reduce((sum, { devices }) => sum + devices.down, 0) }
}

const misfortunes = ['kill', 'cut', 'failover'] as const
/** What a failover loses: so much of the newest rows, ms. */
const lostMs = 700

test(
  `${rounds} rounds of kills, cuts, failovers under load: all alike, and right${noPostgres}`,
  { skip, timeout: 120_000 * rounds },
  async () => {
    const reference = await service(leftovers, { devices: 40, tenants: 1 })
    const hook = await startReceiver(leftovers)
    const outside = { reference, hook }
    let members: Member[] = []
    for (const operator of operators) members.push(await start(operator, temporaryProfile(leftovers), outside))
    await until(async () => {
      for (const found of [await leaderOf(members), await senderOf(members)]) expect(found).not.toBeNull()
    }, 30_000)
    const takeovers: number[] = []
    let ends = 0
    for (let round = 0; round < rounds; round += 1) {
      const devices = reference.world.devices()
      let count = 0
      const stop = repeat(systemClock, 20, () => {
        count += 1
        const one = devices[(count * 7 + round) % devices.length]
        if (one !== undefined) reference.world.setConnected(one.id, one.connected !== true)
      })
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const leader = await until(async () => {
        const found = await leaderOf(members)
        if (found === null) throw new Error('nobody leads')
        return found
      }, 30_000)
      const sender = await senderOf(members)
      const misfortune = misfortunes[round % misfortunes.length]
      const killed = misfortune === 'kill' ? members.filter((one) => one === leader || one === sender) : []
      ends += misfortune === 'kill' ? killed.length : members.length
      const takeOver = misfortune === 'failover' ? await standby(postgres, database) : () => cutAll(postgres, database)
      if (misfortune === 'failover') await new Promise((resolve) => setTimeout(resolve, lostMs))
      const began = Date.now()
      if (misfortune === 'kill') await Promise.all(killed.map(({ muster }) => muster.kill()))
      else await takeOver()
      const left = members.filter((one) => !killed.includes(one))
      await until(async () => {
        const now = await leaderOf(left)
        if (now === null) throw new Error('nobody leads')
        const [state] = (await now.muster.call('app.state', {})).connections
        expect(state?.link.state).toBe('live')
      }, 60_000)
      takeovers.push(Date.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      stop()
      members = left
      for (const { operator, profile } of killed) members.push(await start(operator, profile, outside))
      await until(async () => {
        const truth = new Map(reference.world.devices().map(({ id, connected }) => [id, connected]))
        for (const member of members)
          for (const [id, connected, isUnknown] of await statesOf(member))
            expect([member.operator, id, connected, isUnknown]).toEqual([member.operator, id, truth.get(id), false])
      }, 60_000)
      await until(async () => {
        const [first, ...others] = await Promise.all(members.map(journalOf))
        for (const other of others) expect(other).toEqual(first)
        // Each device that is down is in one incident, and no other device.
        expect(first?.down).toBe(reference.world.devices().filter(({ connected }) => connected !== true).length)
        // Nothing doubled: each transition leads to the other state.
        for (const [id, all] of first?.transitions ?? [])
          expect([id, all.filter((one, index) => one === all[index + 1])]).toEqual([id, []])
      }, 60_000)
    }
    await until(async () => {
      const [first = [], ...others] = await Promise.all(members.map(messagesOf))
      for (const other of others) expect(other).toEqual(first)
      expect(first.filter(([, state]) => state === 'waiting' || state === 'failed')).toEqual([])
      const told = new Set(hook.received.map(({ headers }) => headers['webhook-id']))
      // None is missed, and at most one comes twice where a sender was killed or cut off.
      for (const [id, state] of first) if (state === 'sent') expect(told).toContain(id)
      expect(told.size).toBeGreaterThan(0)
      expect(hook.received.length - told.size).toBeLessThanOrEqual(ends)
    }, 60_000)
    console.log(`takeovers, ms: ${takeovers.join(', ')}; messages: ${hook.received.length}`)
  },
)
