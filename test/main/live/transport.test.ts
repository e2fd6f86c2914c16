import { expect, onTestFinished, test } from 'vitest'
import { openTransport } from '../../../src-main/live/transport/transport.ts'
import type { Link } from '../../../src-main/ports.ts'
import { openNetwork } from '../../../src-main/platform/web/network/network.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { dialled } from './dialled.ts'
import { fixedDocument } from '../../../src-main/live/subscriptions/stream-document.ts'

function open(link: Link, url = 'wss://api.test/graphql', staysRejected = false) {
  const unhandled: unknown[] = []
  const hear = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  const ends: Fault[] = []
  const events: unknown[] = []
  const partial: Fault[] = []
  const shard = { id: 0, devices: new Set(['d1']) }
  const transport = openTransport({
    link,
    url,
    clock: manualClock(),
    token: 't',
    redact: (text) => text.replaceAll('opaque-token', '[hidden]'),
    document: fixedDocument('subscription { device { id } }'),
    onOpen: () => transport.subscribe(shard),
    onProven: () => {},
    onAlive: () => {},
    onEvent: (data) => events.push(data),
    onPartial: (fault) => partial.push(fault),
    onSubscribed: () => {},
    onRejected: () => staysRejected,
    onComplete: () => {},
    onLate: () => {},
    onEnd: (fault) => ends.push(fault),
  })
  onTestFinished(() => transport.close())
  return { wire: transport, shard, ends, events, partial, unhandled }
}

async function subscribed(staysRejected = false) {
  const { link, fars } = dialled()
  const opened = open(link, undefined, staysRejected)
  const far = fars[0]
  if (far === undefined) throw new Error('nothing was dialled')
  far.open()
  await settle()
  far.say({ type: 'connection_ack' })
  await settle()
  const next = async (payload: unknown) => {
    far.say({ type: 'next', id: far.subscriptions()[0], payload })
    await settle()
  }
  return { ...opened, far, next }
}

test('a dial that fails after the transport was closed is no unhandled rejection', async () => {
  const { link, fars } = dialled()
  const { wire: transport, ends, unhandled } = open(link)
  transport.close()
  await settle()
  fars[0]?.fail()
  await settle()
  expect(unhandled).toEqual([])
  expect(ends.map(({ kind }) => kind)).toEqual(['stopped'])
})

test('a URL that the WebSocket rejects ends the transport', async () => {
  const link = openNetwork({}).open('')
  onTestFinished(() => link.close())
  const { ends, unhandled } = open(link, 'wss://127.0.0.1:1/graphql#x')
  await settle()
  expect(ends.map(({ kind }) => kind)).toEqual(['connect'])
  expect(unhandled).toEqual([])
})

test('an event with errors keeps its device and reports the failed fields', async () => {
  const { next, events, partial, ends } = await subscribed()
  const data = { device: { id: 'd1', name: null } }
  await next({ data, errors: [{ message: 'no name today for opaque-token', path: ['device', 'name'] }] })
  expect(events).toEqual([data])
  expect(partial).toEqual([{ kind: 'partial', detail: 'no name today for [hidden]' }])
  expect(ends).toEqual([])
})

test.each([
  ['UNAUTHENTICATED', 'token'],
  ['FORBIDDEN', 'forbidden'],
  ['GRAPHQL_VALIDATION_FAILED', 'no-stream'],
  ['INTERNAL_SERVER_ERROR', 'socket'],
])('an event of errors alone (%s) ends the transport', async (code, kind) => {
  const { next, events, ends } = await subscribed()
  await next({ data: { device: null }, errors: [{ message: 'no', extensions: { code } }] })
  expect(events).toEqual([])
  expect(ends).toEqual([{ kind, detail: 'no' }])
})

test('a subscription that is rejected and completed at once ends no other one', async () => {
  const { far, ends } = await subscribed(true)
  const [id] = far.subscriptions()
  far.say({ type: 'next', id, payload: { errors: [{ message: 'no' }] } })
  far.say({ type: 'complete', id })
  await settle()
  expect([far.isClosed(), ends]).toEqual([false, []])
})

test('a subscription that is dropped as it is rejected ends no other one', async () => {
  const { far, ends, wire: transport, shard } = await subscribed(true)
  transport.unsubscribe(shard)
  far.say({ type: 'error', id: far.subscriptions()[0], payload: [{ message: 'no' }] })
  await settle()
  expect([far.isClosed(), ends]).toEqual([false, []])
})
