import { expect, it } from 'vitest'
import type { Bridge } from '../../../src-shared/contract/bridge.ts'
import { openBridgePipe } from '../../../src-renderer/lib/pipe/bridge-pipe.ts'

function bridge(ask: Bridge['ask']) {
  let report: (event: string, data: string) => void = () => {}
  const given: Bridge = { ask, subscribe: (listener) => void (report = listener) }
  return { pipe: openBridgePipe(given), report: (event: string, data: string) => report(event, data) }
}

it('a call is sent as text and returns the answer', async () => {
  const asked: string[][] = []
  const { pipe } = bridge(async (...call) => (asked.push(call), '{"ok":true,"value":{"id":"a"}}'))
  expect(await pipe.call('connections.retry', { id: 'a' })).toEqual({ ok: true, value: { id: 'a' } })
  expect(asked).toEqual([['connections.retry', '{"id":"a"}']])
})

it('a core that is stopping is an answer, and no error', async () => {
  const { pipe } = bridge(async () => {
    throw new Error("Error invoking remote method 'muster:call'")
  })
  expect(await pipe.call('app.state', {})).toEqual({ ok: false, fault: { kind: 'stopped', detail: '' } })
})

it('listeners are called until they stop', () => {
  const { pipe, report } = bridge(async () => '')
  const received: unknown[] = []
  const off = pipe.on('banners', (data) => received.push(data))
  report('banners', '[]')
  report('patch', '{}')
  off()
  report('banners', '[1]')
  expect(received).toEqual([[]])
})

it('it is reachable as long as the window exists', () => {
  const reached: boolean[] = []
  bridge(async () => '').pipe.onReach((now) => reached.push(now))
  expect(reached).toEqual([true])
})
