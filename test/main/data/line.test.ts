import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createLine } from '../../../src-main/data/line.ts'
import type { Reply, Request } from '../../../src-main/data/messages.ts'
import { acme, connection, event, fact, pageOf, query, service, tempProfile } from './profile.ts'

/** In which order these are answered, when all of them wait. */
function orderOf(...calls: Request['call'][]): Request['call'][] {
  const line = createLine()
  for (const [id, call] of calls.entries()) line.add({ id, call, input: null })
  const answered: Request['call'][] = []
  for (let next = line.next(); next !== null; next = line.next()) answered.push(next.call)
  return answered
}

test('what a person waits for goes before what services tell, and each of the two keeps its order', () => {
  expect(orderOf('events', 'page', 'rows', 'unheard', 'counts', 'keepAlerts')).toEqual([
    'rows',
    'counts',
    'events',
    'page',
    'unheard',
    'keepAlerts',
  ])
})

test.each(['tenants', 'sight', 'forget', 'columnsOn', 'spares', 'saveView', 'keepPolicies', 'close'] as const)(
  'whoever asks after %s sees what it has changed',
  (change) => {
    expect(orderOf('events', change, 'reading', 'rows')).toEqual(['events', change, 'rows', 'reading'])
  },
)

test('each request is answered once, also of those that come while others wait', () => {
  const line = createLine()
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

test('the data thread answers the window before the events that wait, with the revision before them', async () => {
  const temp = tempProfile()
  const worker = new Worker(join(import.meta.dirname, '../../../src-main/data/thread.ts'), {
    workerData: { profile: temp.profile, rev: 1 },
  })
  onTestFinished(async () => {
    await worker.terminate()
    temp.remove()
  })
  let id = 0
  const ask = (call: Request['call'], input: unknown) => worker.postMessage({ id: (id += 1), call, input })
  const replies: Reply[] = []
  const whole = new Promise<void>((resolve) => {
    worker.on('message', (reply: Reply) => {
      replies.push(reply)
      if (replies.length === 6) resolve()
    })
  })
  // It is still starting: all of this waits for it.
  ask('open', undefined)
  ask('tenants', { service, connection, tenants: [acme], at: 0 })
  ask('forget', { connection: 'nobody' })
  ask('page', pageOf([fact('dev-1')], { connection }))
  ask('events', { service, events: [event('dev-1', { connected: false })] })
  ask('rows', { query: query({}), offset: 0, limit: 1, now: 0 })
  await whole
  expect(replies.map((reply) => [reply.id, reply.ok])).toEqual([1, 2, 3, 6, 4, 5].map((each) => [each, true]))
  expect(replies[3]).toMatchObject({ value: { total: 0 } })
})
