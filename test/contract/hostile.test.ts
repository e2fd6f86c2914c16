import { afterEach, expect, test } from 'vitest'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
  type Console,
} from '../support/fleet.ts'
import { startHostile, type Hostility, type HostileService } from '../support/hostile-service.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** Limits: processor time of this thread without a pause, ms, and memory beyond that of the same core without the service. */
const [mostMs, maxAnswerBytes] = [1000, 500 * 1024 * 1024]

/** Measures the longest blocking and the most memory until `stop`, in processor time, because the machine may be busy. */
function watchThread() {
  const worst = { ms: 0, bytes: 0 }
  const before = process.memoryUsage.rss()
  let last = process.threadCpuUsage().user
  const timer = setInterval(() => {
    const now = process.threadCpuUsage().user
    worst.ms = Math.max(worst.ms, (now - last) / 1000)
    worst.bytes = Math.max(worst.bytes, process.memoryUsage.rss() - before)
    last = now
  }, 5)
  return { worst, stop: () => clearInterval(timer) }
}

/** Asks the core without a pause what a window asks of the good connection: the longest that an answer took, of this thread's processor, and how many came. */
function askThroughout(muster: Console) {
  const asked = { ms: 0, answers: 0, bad: [] as string[] }
  const over = new AbortController()
  const run = async () => {
    while (!over.signal.aborted) {
      const before = process.threadCpuUsage().user
      const [state, { rows }] = await Promise.all([
        stateOf(muster, 'Acme'),
        muster.call('inventory.rows', { query: { ...allByName, filter: '' }, offset: 0, limit: 9 }),
      ])
      asked.ms = Math.max(asked.ms, (process.threadCpuUsage().user - before) / 1000)
      asked.answers += 1
      if (state?.link.state !== 'live' || state.faults.length > 0 || rows.length !== 9)
        asked.bad.push(JSON.stringify({ link: state?.link.state, faults: state?.faults, rows: rows.length }))
      // Others have their turn.
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
  }
  const running = run()
  return { asked, stop: () => (over.abort(), running) }
}

const stateOf = async (muster: Console, name: string) =>
  (await muster.call('app.state', {})).connections.find((one) => one.name === name)
const hasFault = async (muster: Console) => expect((await stateOf(muster, 'Hostile'))?.faults.length).toBeGreaterThan(0)
const hasRead = async (muster: Console) => expect((await stateOf(muster, 'Hostile'))?.lastReadingAt).not.toBeNull()

const MB = 1024 * 1024
const pageOf = (nodes: string, errors = '') =>
  `{"data":{"tenant":{"inventory":{"deviceSearch":{"edges":[${nodes}],"pageInfo":{"totalCount":1,"nextToken":null,"hasNextPage":false}}}}}${errors}}`
const nodeOf = (id: string, name: string) => `{"node":${JSON.stringify({ id, name, connected: true })}}`

type Case = [
  what: string,
  hostility: () => Hostility,
  until: (muster: Console, hostile: HostileService) => Promise<void>,
]

const cases: Case[] = [
  [
    'names half a million tenants',
    () => ({
      tenants: `{"data":{"tenants":[${Array.from({ length: 500_000 }, (_, at) => `{"id":"t${at}"}`).join(',')}]}}`,
    }),
    hasFault,
  ],
  [
    'gives its tenants 16 MB of members of their own',
    () => ({
      tenants: `{"data":{"tenants":[${Array.from({ length: 900_000 }, (_, at) => `{"own${at}":1}`).join(',')}]}}`,
    }),
    hasFault,
  ],
  [
    'gives devices 4 MB of members of their own',
    () => ({ page: pageOf(Array.from({ length: 200_000 }, (_, at) => `{"own${at}":1}`).join(',')) }),
    hasFault,
  ],
  [
    'sends a list of tenants without end',
    () => ({
      tenants(response) {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":{"tenants":[')
        const piece = `{"id":"${'x'.repeat(64 * 1024)}"},`
        const more = () => {
          while (!response.destroyed && response.write(piece));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
    }),
    hasFault,
  ],
  ['nests an answer a million times', () => ({ tenants: `{"data":${'['.repeat(MB)}${']'.repeat(MB)}}` }), hasFault],
  [
    'sends devices with names of a megabyte',
    () => ({ page: pageOf([nodeOf('a', 'x'.repeat(MB)), nodeOf('b', 'y'.repeat(MB / 2))].join(',')) }),
    async (muster) => {
      await hasRead(muster)
      const { rows } = await muster.call('inventory.rows', {
        query: { ...allByName, filter: 'xxx' },
        offset: 0,
        limit: 9,
      })
      expect(rows.map(({ name }) => name)).toEqual([`${'x'.repeat(500)}…`])
    },
  ],
  [
    'sends devices with ids of a megabyte',
    () => ({ page: pageOf([nodeOf('x'.repeat(MB), 'long'), nodeOf('short', 'kept')].join(',')) }),
    async (muster) => {
      await hasFault(muster)
      const { rows } = await muster.call('inventory.rows', {
        query: { ...allByName, filter: 'kept' },
        offset: 0,
        limit: 9,
      })
      expect(rows.map(({ id }) => id)).toEqual(['short'])
    },
  ],
  [
    'sends a million devices in a page',
    () => ({ page: pageOf(Array.from({ length: 1_000_000 }, () => '{}').join(',')) }),
    hasFault,
  ],
  [
    'sends half a million errors',
    () => ({ page: pageOf('', `,"errors":[${Array.from({ length: 500_000 }, () => '{}').join(',')}]`) }),
    hasFault,
  ],
  [
    'answers with 300 kB of begins of tokens',
    () => ({ tenants: JSON.stringify({ errors: [{ message: 'eyJ'.repeat(100_000) }] }) }),
    hasFault,
  ],
  [
    'grants tokens that live for a nanosecond',
    () => ({ expiresIn: 1e-9 }),
    async (muster, { asked }) => {
      await hasRead(muster)
      expect(asked.tokens).toBe(1)
    },
  ],
  [
    'says 40 MB at a time on its socket',
    () => ({ socket: (client) => client.send(`{"type":"next","id":"${'x'.repeat(40 * MB)}"}`) }),
    async ({ log }) => expect(log.join('\n')).toContain('sent a message of more than 1 MB'),
  ],
  [
    'sends 100,000 changes of its device in a burst',
    () => burst(100_000),
    async (muster) => {
      const { rows } = await muster.call('inventory.rows', {
        query: { ...allByName, filter: 'restless' },
        offset: 0,
        limit: 9,
      })
      expect(rows.map(({ id, status }) => [id, status])).toEqual([['d1', 'disconnected']])
      // The first word was the page's, so each of them is a transition, and none is entered twice.
      const { drops } = await muster.call('availability.strip', {
        subject: { device: rows[0]?.key ?? '' },
        from: Date.now() - 60 * 60_000,
        until: Date.now(),
        parts: 1,
      })
      expect(drops).toBeLessThanOrEqual(50_000)
      expect(drops).toBeGreaterThan(0)
    },
  ],
]

/** Switches its device on and off so often in one burst, ending with off. A page has the last state. */
function burst(times: number): Hostility {
  let connected = true
  return {
    page: () => pageOf(`{"node":${JSON.stringify({ id: 'd1', name: 'The restless one', connected })}}`),
    subscribed(client, id) {
      for (let at = 1; at <= times; at += 1) {
        connected = at % 2 === 1
        const device = { id: 'd1', connected }
        client.send(JSON.stringify({ type: 'next', id, payload: { data: { deviceStream: device } } }))
      }
    },
  }
}

test.each(cases)(
  'a service that %s affects no other connection',
  { timeout: 90_000 },
  async (_what, hostility, settled) => {
    const good = await service(leftovers, { devices: 30, tenants: 1 })
    const muster = await openConsole(leftovers, temporaryProfile(leftovers))
    await muster.call('connections.save', connectionTo(good))
    await whenRead(muster)
    const hostile = await startHostile(leftovers, hostility())
    const { worst, stop } = watchThread()
    const acme = askThroughout(muster)
    leftovers.push(stop)
    leftovers.push(acme.stop)
    await muster.call('connections.save', hostile.input)
    await until(() => settled(muster, hostile), 60_000)
    await acme.stop()
    expect(acme.asked.bad.slice(0, 3)).toEqual([])
    expect(acme.asked.answers).toBeGreaterThan(2)
    expect(acme.asked.ms).toBeLessThan(mostMs)
    expect((await muster.call('inventory.counts', { scope: 'all' })).counts?.connected).toBeGreaterThan(0)
    expect(worst.ms).toBeLessThan(mostMs)
    expect(worst.bytes).toBeLessThan(maxAnswerBytes)
  },
)
