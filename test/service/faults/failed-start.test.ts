import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startService } from '../../../src-service/service.ts'
import type { ServiceOptions } from '../../../src-service/service.ts'
import { open } from '../client.ts'

/** Timers that were started from now on and are not stopped. */
function runningTimers(): () => number {
  const running = new Set<unknown>()
  const { setInterval: start, clearInterval: stop } = globalThis
  vi.stubGlobal('setInterval', (...args: Parameters<typeof setInterval>) => {
    const timer = start(...args)
    running.add(timer)
    return timer
  })
  vi.stubGlobal('clearInterval', (timer: NodeJS.Timeout) => {
    running.delete(timer)
    stop(timer)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return () => running.size
}

function listen(port: number): Promise<number> {
  const server = createServer()
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}

test('a stopped service leaves no timer behind', async () => {
  const running = runningTimers()
  const service = await startService({ devices: 200, life: true, scenario: 'flapping' })
  expect(running()).toBeGreaterThan(4)
  await service.stop()
  expect(running()).toBe(0)
})

test('a service without a credential set does not start and leaves no timer or open port', async () => {
  const free = await open({ devices: 1 })
  const port = Number(new URL(free.graphqlUrl).port)
  await free.stop()
  const running = runningTimers()
  await expect(startService({ devices: 200, life: true, port, credentials: () => [] })).rejects.toThrow(
    'A service needs a credential set',
  )
  expect(running()).toBe(0)
  expect(await listen(port)).toBe(port)
})

test.each<[string, ServiceOptions]>([
  ['life', { life: true }],
  ['a scenario', { scenario: 'storm' }],
])('a port that is in use: nothing of %s runs on', async (_what, options) => {
  const port = await listen(0)
  const running = runningTimers()
  await expect(startService({ devices: 200, port, ...options })).rejects.toThrow('EADDRINUSE')
  expect(running()).toBe(0)
})
