import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createRequestQueue } from '../../../src-main/inventory/thread/request-queue.ts'
import type { Reply, Request } from '../../../src-main/inventory/thread/messages.ts'
import { acme, connection, event, fact, pageOf, query, service, tempProfile } from './profile.ts'

/** In which order these are answered, when all of them wait. */
function orderOf(...calls: Request['call'][]): Request['call'][] {
  const line = createRequestQueue()
  for (const [id, call] of calls.entries()) line.add({ id, call, input: null })
  const answered: Request['call'][] = []
  for (let next = line.next(); next !== null; next = line.next()) answered.push(next.call)
  return answered
}

test('requests of the window go before events and jobs’ steps, and both keep their order', () => {
  expect(orderOf('events', 'saveJob', 'page', 'rows', 'subscriptionLost', 'counts', 'saveAlerts')).toEqual([
    'rows',
    'counts',
    'events',
    'saveJob',
    'page',
    'subscriptionLost',
    'saveAlerts',
  ])
})

test.each(['tenants', 'visibility', 'forget', 'extraColumns', 'spares', 'saveView', 'savePolicies', 'close'] as const)(
  'a request after %s sees its changes',
  (change) => {
    expect(orderOf('events', change, 'reconciliation', 'rows')).toEqual(['events', change, 'rows', 'reconciliation'])
  },
)

test('each request is answered once, also one that comes while others wait', () => {
  const line = createRequestQueue()
  const answered: number[] = []
  const answer = () => {
    const next = line.next()
    if (next !== null) answered.push(next.id)
  }
  line.add({ id: 1, call: 'events', input: null })
  answer()
  line.add({ id: 2, call: 'events', input: null })
  line.add({ id: 3, call: 'rows', input: null })
  answer()
  line.add({ id: 4, call: 'rows', input: null })
  for (let at = 0; at < 4; at += 1) answer()
  expect(answered).toEqual([1, 3, 4, 2])
})

/** The thread itself; `onReply` gets each answer. */
function startThread(onReply: (reply: Reply) => void): (call: Request['call'], input: unknown) => void {
  const temp = tempProfile()
  const worker = new Worker(join(import.meta.dirname, '../../../src-main/inventory/thread/thread.ts'), {
    workerData: { profile: temp.profile, rev: 1 },
  })
  onTestFinished(async () => {
    await worker.terminate()
    temp.remove()
  })
  worker.on('message', onReply)
  let id = 0
  return (call, input) => worker.postMessage({ id: (id += 1), call, input })
}

const oneRow = { query: query({}), offset: 0, limit: 1, now: 0 }

test('the data thread answers the window before the waiting events, with the earlier revision', async () => {
  const replies: Reply[] = []
  const { promise: whole, resolve } = Promise.withResolvers<void>()
  const ask = startThread((reply) => {
    replies.push(reply)
    if (replies.length === 6) resolve()
  })
  // It is still starting: all of this waits for it.
  ask('open', undefined)
  ask('tenants', { service, connection, tenants: [acme], at: 0 })
  ask('forget', { connection: 'nobody' })
  ask('page', pageOf([fact('dev-1')], { connection }))
  ask('events', { service, events: [event('dev-1', { connected: false })] })
  ask('rows', oneRow)
  await whole
  expect(replies.map((reply) => [reply.id, reply.ok])).toEqual([1, 2, 3, 6, 4, 5].map((each) => [each, true]))
  expect(replies[3]).toMatchObject({ value: { total: 0 } })
})

test('a request during a write is answered before the writes that wait', { timeout: 30_000 }, async () => {
  const [devices, batches] = [500, 60]
  const answered: number[] = []
  const { promise: whole, resolve } = Promise.withResolvers<void>()
  const ask = startThread(({ id }) => {
    answered.push(id)
    // The first batch is written; by now another one is under way.
    if (id === 4) ask('rows', oneRow)
    if (answered.length === 3 + batches + 1) resolve()
  })
  const ids = Array.from({ length: devices }, (_, at) => `dev-${at}`)
  ask('open', undefined)
  ask('tenants', { service, connection, tenants: [acme], at: 0 })
  ask(
    'page',
    pageOf(
      ids.map((id) => fact(id)),
      { connection },
    ),
  )
  let order = 1
  for (let batch = 0; batch < batches; batch += 1)
    ask('events', {
      service,
      events: ids.map((id) => event(id, { connected: batch % 2 === 1, order: (order += 1), at: 2_000 + order })),
    })
  await whole
  const rows = answered.indexOf(3 + batches + 1)
  expect(rows).toBeGreaterThan(answered.indexOf(4))
  expect(rows).toBeLessThan(answered.length - 1)
})
