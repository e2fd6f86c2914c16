import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startMember, type Member, type MemberOptions } from '../../../../src-main/team/member.ts'
import { follow, type FollowOptions } from '../../../../src-main/team/log/follow.ts'
import type { Position } from '../../../../src-main/team/log/log-store.ts'
import { createDatabase, createLink } from './database.ts'
import { unheard } from './member.ts'
import { createComputer, createWorld } from './world.ts'

const ignore = (): void => {}

/** A database with some rows, and a computer with a way to it. */
async function setup(rows: number) {
  const world = createWorld(1)
  const database = createDatabase(world)
  const computer = createComputer(world, 1, 0)
  const link = createLink(world, database, computer)
  const passes = (ms: number) => world.run(world.now() + ms, ignore)
  const entries = Array.from({ length: rows }, () => ({ id: randomUUID(), body: new Uint8Array() }))
  const posting = rows === 0 ? Promise.resolve(0) : link.logs.post(entries)
  await passes(100)
  await posting
  return { world, database, link, clock: computer.clock, passes }
}

test('a member takes no lease before it has caught up', async () => {
  const { link, clock, passes } = await setup(3)
  const taken = Promise.withResolvers<void>()
  const options: MemberOptions = {
    leases: link.leases,
    store: link.logs,
    clock,
    member: randomUUID(),
    sets: new Set(),
    channels: new Set(),
    data: {
      logPosition: async () => ({ number: 7, id: randomUUID() }),
      applyLog: async () => ({ results: [], again: [] }),
    },
    takeIn: () => taken.promise,
    onEvaluating: ignore,
    ...unheard,
  }
  const started: Member = await startMember(options)
  await passes(10_000)
  const look = link.leases.look('evaluator', [])
  await passes(100)
  expect(await look).toBeNull()
  taken.resolve()
  await passes(1500)
  expect(started.leads.evaluating()).not.toBeNull()
})

function followFrom(
  { link, clock }: Pick<Awaited<ReturnType<typeof setup>>, 'link' | 'clock'>,
  from: Position,
  change: Partial<FollowOptions>,
) {
  return follow({ store: link.logs, clock, from, onRows: ignore, onSnapshot: ignore, ...change })
}

test('a number is not reached by the position of a copy that is being replaced', async () => {
  const { link, clock, passes } = await setup(3)
  const taken = Promise.withResolvers<void>()
  const follower = followFrom({ link, clock }, { number: 7, id: randomUUID() }, { onSnapshot: () => taken.promise })
  let isReached = false
  await passes(1000)
  void follower.reached(2).then(() => (isReached = true))
  await passes(5000)
  expect(isReached).toBe(false)
  taken.resolve()
  await passes(100)
  expect([isReached, follower.position()?.number]).toEqual([true, 3])
})

test('a log without rows replaces a copy by nothing, and is followed from its next row', async () => {
  const { database, link, clock, passes } = await setup(3)
  const { log } = database.content()
  const last = log.at(-1)
  if (last === undefined) throw new Error('it has rows')
  const snapshots: unknown[] = []
  const follower = followFrom({ link, clock }, last, { onSnapshot: (snapshot) => void snapshots.push(snapshot) })
  await passes(5000)
  expect(snapshots).toEqual([])
  database.failOver(1, 0)
  await passes(5000)
  expect([snapshots, follower.position()]).toEqual([[null], null])
  void link.logs.post([{ id: randomUUID(), body: new Uint8Array() }])
  await passes(3000)
  expect([snapshots, follower.position()?.number]).toEqual([[null], 1])
})
