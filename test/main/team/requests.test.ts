import { expect, test } from 'vitest'
import type { Message } from '../../../src-main/team/replica/replica.ts'
import { createRequests } from '../../../src-main/team/requests.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

function setup() {
  const clock = manualClock()
  const told: Message[] = []
  const requests = createRequests(clock)
  const outcome = (promise: Promise<unknown>) =>
    promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ kind: (error as FaultError).fault.kind }),
    )
  const ask = (tell = async (message: Message) => void told.push(message)) =>
    outcome(requests.ask(tell, 'mark', 'input'))
  const add = (id: string) =>
    requests.add(id, { message: { is: 'ask', id, what: 'mark', input: id }, role: 'berta', at: clock.now() })
  const open = () => requests.open().map(({ message }) => (message.is === 'ask' ? message.id : ''))
  return { clock, told, requests, ask, add, open }
}

test('a request comes to what its call comes to, or to its fault', async () => {
  const { told, requests, ask } = setup()
  const [done, refused] = [ask(), ask()]
  await settle()
  const ids = told.map((message) => (message.is === 'ask' ? message.id : ''))
  requests.answered(ids[1] ?? '', { ok: false, fault: { kind: 'input', detail: '' } })
  requests.answered(ids[0] ?? '', { ok: true, value: 7 })
  expect([await done, await refused]).toEqual([{ value: 7 }, { kind: 'input' }])
})

test('a request that nobody answers, or that cannot be told, is away', async () => {
  const { clock, ask } = setup()
  const silent = ask()
  await clock.advance(16_000)
  expect(await silent).toEqual({ kind: 'team-away' })
  expect(await ask(() => Promise.reject(new Error('cut')))).toEqual({ kind: 'team-away' })
  expect(clock.pending()).toBe(0)
})

test('who begins to evaluate carries out what is open, and nothing that was told to have failed', async () => {
  const { clock, requests, add, open } = setup()
  add('first')
  await clock.advance(10_000)
  add('second')
  add('answered')
  requests.answered('answered', { ok: true, value: null })
  expect(open()).toEqual(['first', 'second'])
  await clock.advance(6_000)
  expect(open()).toEqual(['second'])
  await clock.advance(3_600_000)
  expect(open()).toEqual([])
  expect(requests.isStale(clock.now() - 15_001)).toBe(true)
  expect(requests.isStale(clock.now() - 15_000)).toBe(false)
})
