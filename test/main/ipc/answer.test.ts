import { expect, test } from 'vitest'
import { answer } from '../../../src-main/ipc/answer.ts'
import { calls, type CallName, type Handlers } from '../../../src-shared/contract/contract.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'

function handlersWith(handler: (input: unknown) => Promise<unknown>): Handlers {
  return Object.fromEntries(Object.keys(calls).map((name) => [name, handler])) as unknown as Handlers
}
const echo = handlersWith(async (input) => input)

test('a valid call is answered with its value', async () => {
  expect(await answer(echo, 'inventory.counts', { scope: 'all' })).toEqual({ ok: true, value: { scope: 'all' } })
})

test.each<[unknown]>([['toString'], ['__proto__'], ['no.such'], [undefined], [7], [{}]])(
  '%j is no call',
  async (name) => {
    expect(await answer(echo, name, {})).toMatchObject({ ok: false, fault: { kind: 'input' } })
  },
)

test('input of the wrong shape never reaches the handler', async () => {
  const reached: CallName[] = []
  const handlers = handlersWith(async () => reached.push('app.state'))
  const bad = await answer(handlers, 'inventory.rows', { query: { scope: 1 }, offset: -1, limit: 10_000 })
  expect(bad).toMatchObject({ ok: false, fault: { kind: 'input' } })
  expect(reached).toEqual([])
})

test('a fault is returned as a value; any other error says only its class', async () => {
  const faulty = handlersWith(async () => {
    throw new FaultError('storage', 'disk full')
  })
  expect(await answer(faulty, 'sync.start', { scope: 'all' })).toEqual({
    ok: false,
    fault: { kind: 'storage', detail: 'disk full' },
  })
  const broken = handlersWith(async () => {
    throw new TypeError('secret=hunter2')
  })
  expect(await answer(broken, 'sync.start', { scope: 'all' })).toEqual({
    ok: false,
    fault: { kind: 'internal', detail: 'TypeError' },
  })
})
