import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startStatusServer, type StatusServerOptions } from '../../../../src-main/platform/headless/status-server.ts'
import { systemClock } from '../../../../src-shared/lib/clock.ts'
import { manualClock } from '../../../support/clock.ts'

type Core = StatusServerOptions['core']

const connection = (lastReadingAt: number | null, paused = false) => ({ lastReadingAt, paused })
const state = (connections: object[]) => ({ connections }) as unknown as Awaited<ReturnType<Core['app.state']>>

async function setup(over: Partial<StatusServerOptions> = {}, connections: object[] = [connection(1)]) {
  const log: string[] = []
  const server = await startStatusServer({
    core: {
      'app.state': () => Promise.resolve(state(connections)),
      'inventory.counts': () => Promise.resolve({ rev: 0, counts: null, tenants: { all: 0, unread: 0 } }),
    },
    metrics: { contentType: 'text/plain; version=0.0.4', read: () => Promise.resolve('muster_devices 1') },
    host: '127.0.0.1',
    port: 0,
    token: null,
    clock: systemClock,
    log: (_level, line) => log.push(line),
    ...over,
  })
  onTestFinished(() => server.stop())
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
      request({ port: server.port, host: '127.0.0.1', path, headers, method }, (response) => {
        let text = ''
        response.on('data', (part) => (text += String(part)))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
      })
        .on('error', reject)
        .end()
    })
  return { ask, log }
}

test('it is healthy while the core answers, and ready when each connection was read', async () => {
  const { ask } = await setup()
  expect(await ask('/healthz')).toMatchObject({ status: 200, text: 'ok\n' })
  expect(await ask('/readyz')).toMatchObject({ status: 200, text: 'ready\n' })
  expect(await ask('/metrics')).toMatchObject({ status: 200, text: 'muster_devices 1\n' })
  expect(await ask('/')).toMatchObject({ status: 404 })
  expect(await ask('/metrics', {}, 'POST')).toMatchObject({ status: 405 })
  expect(await ask('//')).toMatchObject({ status: 400 })
})

test('connections that were not read, or none at all, are not ready, and no name is told', async () => {
  const { ask } = await setup({}, [connection(null), connection(1), connection(null, true)])
  expect(await ask('/readyz')).toMatchObject({ status: 503, text: '1 of 2 connections were not read yet.\n' })
  const none = await setup({}, [connection(null, true)])
  expect(await none.ask('/readyz')).toMatchObject({ status: 503 })
})

test('a core that hangs or fails is not healthy', async () => {
  const clock = manualClock()
  const never = {
    'app.state': () => new Promise<never>(() => {}),
    'inventory.counts': () => new Promise<never>(() => {}),
  }
  const hanging = await setup({ core: never, clock })
  const asked = hanging.ask('/healthz')
  await expect
    .poll(async () => (await clock.advance(1_000), Promise.race([asked, null])))
    .toMatchObject({ status: 503 })
  const failing = { ...never, 'inventory.counts': () => Promise.reject(new Error('the data thread ended')) }
  expect(await (await setup({ core: failing })).ask('/healthz')).toMatchObject({ status: 503 })
})

test('metrics are told with the token only where there is one; health needs none', async () => {
  const { ask } = await setup({ token: 'the token' })
  expect(await ask('/metrics')).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
  for (const authorization of ['Bearer another', 'Bearer ', 'Basic the token', 'the token'])
    expect([authorization, (await ask('/metrics', { authorization })).status]).toEqual([authorization, 401])
  expect(await ask('/metrics', { authorization: 'Bearer the token' })).toMatchObject({ status: 200 })
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
})

test('a page whose name leads to this computer is not answered', async () => {
  const { ask } = await setup()
  expect(await ask('/metrics', { host: 'evil.example:9464' })).toMatchObject({ status: 403 })
  expect(await ask('/metrics', { host: 'localhost:9464' })).toMatchObject({ status: 200 })
  expect(await ask('/metrics', { host: '[::1]:9464' })).toMatchObject({ status: 200 })
})
