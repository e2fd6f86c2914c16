import { expect, it } from 'vitest'
import type { Bridge } from '../../src-shared/contract/bridge.ts'
import { openBridgePipe } from '../../src-renderer/lib/bridge-pipe.ts'

function bridge(ask: Bridge['ask']) {
  let tell: (event: string, data: string) => void = () => {}
  const given: Bridge = { ask, hear: (listener) => void (tell = listener) }
  return { pipe: openBridgePipe(given), tell: (event: string, data: string) => tell(event, data) }
}

it('asks in text and brings back the answer', async () => {
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

it('tells who listens, for as long as they do', () => {
  const { pipe, tell } = bridge(async () => '')
  const heard: unknown[] = []
  const off = pipe.on('notices', (data) => heard.push(data))
  tell('notices', '[]')
  tell('patch', '{}')
  off()
  tell('notices', '[1]')
  expect(heard).toEqual([[]])
})

it('is in reach for as long as the window is there', () => {
  const reached: boolean[] = []
  bridge(async () => '').pipe.onReach((now) => reached.push(now))
  expect(reached).toEqual([true])
})
