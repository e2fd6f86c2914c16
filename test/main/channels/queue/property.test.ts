import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openQueue, type DeliveryQueue } from '../../../../src-main/channels/queue.ts'
import type { Outcome } from '../../../../src-main/channels/outcome.ts'
import type { StoredDelivery } from '../../../../src-main/incidents/stored/delivery.ts'
import { deliveryOf } from '../../../support/deliveries.ts'
import { manualClock, settle } from '../../../support/clock.ts'
import { accepted, later, waitingIn } from './bench.ts'

const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
const minute = 60_000

/** What happens in a story, in order. `answer`: the oldest attempt ends, accepted or not. `kill`: Muster dies, and starts again. */
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant('add' as const), alert: fc.nat(2), dueIn: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.record({ is: fc.constant('answer' as const), ok: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('wait' as const), minutes: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.constant({ is: 'kill' as const }) },
  { weight: 1, arbitrary: fc.constant({ is: 'killAfterAcceptance' as const }) },
  { weight: 1, arbitrary: fc.constant({ is: 'restart' as const }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('disk' as const), full: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ is: 'wake' as const }) },
)
type Event = typeof event extends fc.Arbitrary<infer One> ? One : never

interface Attempt {
  row: StoredDelivery
  end: (outcome: Outcome) => void
}

interface Story {
  journal: Map<string, StoredDelivery>
  order: string[]
  alertOf: Map<string, string>
  dueAt: Map<string, number>
  acceptances: Map<string, number>
  kills: number
  failure: string
}

/** One life of a queue over a journal. After `die` nothing of it reaches journal or server. */
function life(story: Story, clock: ReturnType<typeof manualClock>, disk: { full: boolean }) {
  const attempts: Attempt[] = []
  const alive = { yes: true }
  const queue: DeliveryQueue = openQueue({
    data: {
      async settleDeliveries({ rows }) {
        if (!alive.yes) throw new Error('dead')
        if (disk.full) throw new Error('full')
        for (const { value } of rows) story.journal.set((value as StoredDelivery).id, value as StoredDelivery)
      },
    },
    clock: { ...clock, after: (ms, run) => clock.after(ms, () => void (alive.yes && run())) },
    log: () => {},
    random: () => 0.5,
    send(row) {
      if (!alive.yes) return new Promise(() => {})
      const { promise, resolve } = Promise.withResolvers<Outcome>()
      attempts.push({ row, end: resolve })
      const isOlder = (id: string) =>
        story.alertOf.get(id) === row.alert &&
        story.order.indexOf(id) < story.order.indexOf(row.id) &&
        (story.dueAt.get(id) ?? 0) <= row.dueAt
      const older = story.order.find((id) => isOlder(id) && (story.acceptances.get(id) ?? 0) === 0)
      if (older !== undefined) story.failure ||= `${row.id} before ${older}`
      return promise
    },
    sends: () => true,
    adds: true,
    isHeld: () => false,
    obsolete: () => null,
    closed: () => null,
    onAttempt: () => {},
    onChange: () => {},
  })
  return { queue, attempts, alive }
}

async function play(events: readonly Event[]): Promise<Story> {
  const story: Story = {
    journal: new Map(),
    order: [],
    alertOf: new Map(),
    dueAt: new Map(),
    acceptances: new Map(),
    kills: 0,
    failure: '',
  }
  const clock = manualClock()
  const disk = { full: false }
  let now = life(story, clock, disk)
  const accept = ({ row }: Attempt) => void story.acceptances.set(row.id, (story.acceptances.get(row.id) ?? 0) + 1)
  const answer = async (outcome: Outcome) => {
    const attempt = now.attempts.shift()
    if (attempt === undefined) return
    if (outcome.is === 'sent') accept(attempt)
    attempt.end(outcome)
    await settle()
  }
  const begins = async () => {
    now = life(story, clock, disk)
    now.queue.add(waitingIn(story.journal))
    await settle()
  }
  const die = () => {
    story.kills += 1
    now.alive.yes = false
    return begins()
  }
  for (const one of events) {
    if (one.is === 'add') {
      const id = `m${story.order.length}`
      const at = clock.now()
      const row = deliveryOf(id, {
        alert: `i${one.alert}`,
        at,
        dueAt: at + one.dueIn * minute,
        nextAt: at + one.dueIn * minute,
      })
      story.order.push(id)
      story.alertOf.set(id, row.alert)
      story.dueAt.set(id, row.dueAt)
      story.journal.set(id, row)
      now.queue.add([row])
      await settle()
    } else if (one.is === 'answer') await answer(one.ok ? accepted : later())
    else if (one.is === 'wait') await clock.advance(one.minutes * minute)
    else if (one.is === 'wake') now.queue.wake(null)
    else if (one.is === 'disk') disk.full = one.full
    else if (one.is === 'kill') await die()
    else if (one.is === 'killAfterAcceptance') {
      const attempt = now.attempts.shift()
      if (attempt !== undefined) accept(attempt)
      await die()
    } else await restart()
  }
  async function restart() {
    const ending = now.queue.stop()
    while (now.attempts.length > 0) await answer(accepted)
    await ending
    // A disk that is full at the end keeps nothing, like a death.
    if (disk.full) story.kills += 1
    now.alive.yes = false
    await begins()
  }
  disk.full = false
  for (let round = 0; round < 200 && waitingIn(story.journal).length > 0; round += 1) {
    await clock.advance(minute)
    while (now.attempts.length > 0) await answer(accepted)
  }
  now.alive.yes = false
  return story
}

test('whatever fails, each message is accepted, in order, and again only after a death', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 60 }), async (events) => {
      const { order, acceptances, kills, failure, journal } = await play(events)
      expect(failure).toBe('')
      expect([...journal.keys()].toSorted()).toEqual(order.toSorted())
      const counts = order.map((id) => acceptances.get(id) ?? 0)
      expect(counts.filter((count) => count < 1 || count > 1 + kills)).toEqual([])
      expect([...journal.values()].every(({ state }) => state === 'sent')).toBe(true)
    }),
    { seed, numRuns: 150 },
  )
}, 60_000)

test('without a death each message is accepted exactly once', async () => {
  const calm = event.filter(({ is }) => is !== 'kill' && is !== 'killAfterAcceptance' && is !== 'restart')
  await fc.assert(
    fc.asyncProperty(fc.array(calm, { minLength: 5, maxLength: 60 }), async (events) => {
      const { order, acceptances, failure } = await play(events)
      expect(failure).toBe('')
      expect(order.map((id) => acceptances.get(id) ?? 0)).toEqual(order.map(() => 1))
    }),
    { seed, numRuns: 100 },
  )
}, 60_000)
