import { callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { startData } from '../../../src-main/inventory/thread/client.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const thread = join(import.meta.dirname, '../../../src-main/inventory/thread/thread.ts')
let temp: ReturnType<typeof tempProfile>
beforeEach(() => {
  temp = tempProfile()
})
afterEach(() => temp.remove())

const file = (name: string) => join(temp.profile, name)
const facts = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => fact(`dev-${from + n}`, { connected: n % 2 === 0 }))

function filled(devices: number): void {
  const calls = callsOn(openStore(temp.profile, 1, 0))
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
  calls.page(pageOf(facts(0, devices)))
  calls.events({ service, events: [event('dev-0', { connected: false })] })
  calls.close(undefined)
}

function mortal(): string {
  const entry = file('dying.mjs')
  // The thread's own entry, and a word that kills it: what a fault of memory or an assertion of SQLite would do.
  writeFileSync(
    entry,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (m) => { if (m.input?.tenant === 'die') process.exit(7) })
    await import(${JSON.stringify(thread)})`,
  )
  return entry
}

// A thread is started and ended many times over: a busy machine takes its time for that.
describe('the thread', { timeout: 30_000 }, () => {
  test('answers in order, keeps its files to their owner, and stops', async () => {
    const { data, opened, stop } = await startData({ profile: temp.profile, thread })
    expect(opened).toMatchObject({ cache: 'new', journal: 'new', rev: 1 })
    const order: string[] = []
    await Promise.all([
      data.tenants({ service, connection, tenants: [acme], at: 0 }).then(() => order.push('tenants')),
      data.page(pageOf(facts(0, 300))).then(() => order.push('page')),
      data.ids({ service, tenant: acme.id }).then((ids) => order.push(`ids ${ids.length}`)),
    ])
    expect(order).toEqual(['tenants', 'page', 'ids 300'])
    for (const name of readdirSync(temp.profile))
      expect([name, statSync(file(name)).mode & 0o777]).toEqual([name, 0o600])
    expect(readdirSync(temp.profile)).toContain('journal.db-wal')
    await Promise.all([stop(), stop()])
    await expect(data.ids({ service, tenant: acme.id })).rejects.toMatchObject({ fault: { kind: 'stopped' } })
  })

  test('a disk error becomes a storage fault, without a path', async () => {
    const started = startData({ profile: file('nowhere'), thread })
    const thrown = await started.catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(FaultError)
    expect(thrown).toMatchObject({ fault: { kind: 'storage', detail: 'the file system failed (ENOENT)' } })
  })

  test('that dies rejects what waits and is restarted once', async () => {
    filled(10)
    const deaths: unknown[] = []
    const entry = mortal()
    const { data, opened, stop } = await startData({
      profile: temp.profile,
      thread: entry,
      onDied: (again) => deaths.push(again),
    })
    await expect(data.ids({ service, tenant: 'die' })).rejects.toMatchObject({ fault: { kind: 'internal' } })
    expect(await data.ids({ service, tenant: acme.id })).toHaveLength(10)
    expect(await deaths[0]).toMatchObject({ cache: 'ok' })
    expect((await data.open()).rev).toBeGreaterThan(opened.rev)
    await expect(data.ids({ service, tenant: 'die' })).rejects.toMatchObject({ fault: { kind: 'internal' } })
    await expect(data.ids({ service, tenant: acme.id })).rejects.toMatchObject({ fault: { kind: 'internal' } })
    expect(deaths).toHaveLength(2)
    expect(deaths[1]).toBeNull()
    await stop()
  })

  test('that ran well for ten minutes is restarted whenever it dies', async () => {
    filled(10)
    let now = 0
    const deaths: (Promise<unknown> | null)[] = []
    const { data, stop } = await startData({
      profile: temp.profile,
      thread: mortal(),
      now: () => now,
      onDied: (again) => deaths.push(again),
    })
    const die = () =>
      expect(data.ids({ service, tenant: 'die' })).rejects.toMatchObject({ fault: { kind: 'internal' } })
    for (let n = 0; n < 3; n += 1) {
      await die()
      expect(await data.ids({ service, tenant: acme.id })).toHaveLength(10)
      now += 10 * 60_000
    }
    await die()
    now += 10 * 60_000 - 1
    await die()
    expect(deaths.map((again) => again !== null)).toEqual([true, true, true, true, false])
    await stop()
  })

  test('kill -9 during a sync: nothing lost, nothing doubled, and the sync goes on', async () => {
    filled(1000)
    const script = file('puller.mjs')
    writeFileSync(
      script,
      `import { startData } from ${JSON.stringify(join(import.meta.dirname, '../../../src-main/inventory/thread/client.ts'))}
      const { data } = await startData({ profile: ${JSON.stringify(temp.profile)}, thread: ${JSON.stringify(thread)} })
      for (let n = 0; ; n += 1) {
        const devices = Array.from({ length: 100 }, (_, i) => ({ ...${JSON.stringify(fact(''))}, id: 'dev-' + (n * 100 + i), name: 'Page ' + n, connected: (n + i) % 2 === 1 }))
        const next = { generation: 2, nextToken: 'token-' + n, pageSize: 100, pages: n + 1, read: (n + 1) * 100, startedAt: 1 }
        const change = await data.page({ service: ${JSON.stringify(service)}, tenant: 'acme', generation: 2, requestOrder: 100 + n, at: 10_000 + n, devices, next })
        console.log(n, change.transitions.length)
      }`,
    )
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const reported = new Map<number, number>()
    for await (const line of createInterface({ input: child.stdout })) {
      const [n = 0, transitions = 0] = line.split(' ').map(Number)
      reported.set(n, transitions)
      if (n === 7) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')
    expectWholePages(reported)
  })
})

/** After the kill every acknowledged page is there, the next may be, none is half there, and no transition is there twice. */
function expectWholePages(reported: Map<number, number>): void {
  const store = openStore(temp.profile, 1, 0)
  const calls = callsOn(store)
  const pull = calls.pull({ service, tenant: acme.id })
  const pages = pull?.pages ?? 0
  expect(pages).toBeGreaterThanOrEqual(reported.size)
  expect(pull).toMatchObject({ generation: 2, nextToken: `token-${pages - 1}`, read: pages * 100 })
  const ids = calls.ids({ service, tenant: acme.id })
  expect(ids).toHaveLength(Math.max(1000, pages * 100))
  for (const id of ids) {
    const device = calls.device({ key: key(id) }).device
    const page = Math.floor(Number(id.slice(4)) / 100)
    expect(device?.row.name.startsWith('Page')).toBe(page < pages)
    const words = device?.transitions.map(({ connected }) => connected) ?? []
    expect(words.some((connected, n) => connected === words[n + 1])).toBe(false)
    if (words.length > 0) expect(words[0]).toBe(device?.row.connected)
  }
  expect(store.cache.sequence()).toBe(store.sequence)
  calls.close(undefined)
}
