import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, expect, test } from 'vitest'
import { openLog } from '../../src-main/platform/shared/log.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { calls } from '../../src-shared/contract/contract.ts'
import type { CallInput } from '../../src-shared/contract/contract.ts'
import { socketSteps } from '../../src-shared/contract/diagnostics.ts'
import { diagnosticsText } from '../../src-shared/text/diagnostics.ts'
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

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function running(more: { log?: string } = {}) {
  const reference = await service(leftovers, { devices: 120, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  if (more.log !== undefined) writeFileSync(path.join(profile, 'muster.log'), more.log)
  const muster = await openConsole(leftovers, profile)
  await muster.call(
    'connections.save',
    connectionTo(reference, { name: 'Nordlicht', portal: 'https://portal.nordlicht.test/{tenant}/{id}' }),
  )
  await whenRead(muster)
  return { reference, muster, profile }
}

const wish: CallInput<'support.preview'> = { pseudonyms: false, names: false, window: 'a test' }

async function textsOf(muster: Console, wished: Partial<typeof wish> = {}) {
  const { files } = await muster.call('support.preview', { ...wish, ...wished })
  return new Map(files.map(({ name, text }) => [name, text]))
}

test('the metrics of Muster itself are measured in this run', async () => {
  const { muster, reference } = await running()
  await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 10 })
  await muster.call('diagnostics.drawn', {})
  const seen = await until(async () => {
    const found = await muster.call('diagnostics.show', {})
    expect(found.threads.map(({ name, delay }) => [name, delay !== null])).toEqual([
      ['core', true],
      ['data', true],
    ])
    return found
  })
  expect(calls['diagnostics.show'].output.parse(seen)).toEqual(seen)
  const moments = seen.start.moments.filter(({ entered }) => !entered).map(({ ms }) => ms ?? NaN)
  // The connection was made in this run: its rows are counted from then on.
  expect(seen.start.moments.filter(({ entered }) => entered).map(({ what }) => what)).toEqual(['rows'])
  expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  expect(moments.at(-1)).toBeLessThan(Date.now() - seen.start.at + 1)
  expect(seen.tables).toContainEqual({ file: 'cache.db', name: 'device', rows: 120, more: false })
  expect(seen.tables).toContainEqual({ file: 'cache.db', name: 'tenant', rows: 2, more: false })
  expect(seen.files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cache.db', 'journal.db', 'settings.json']),
  )
  expect(seen.connections).toMatchObject([
    { name: 'Nordlicht', moves: [{ to: 'connecting', attempt: 1, fault: null }, { to: 'live' }] },
  ])
  expect(seen.queues).toMatchObject([{ name: 'Nordlicht', waiting: 0, oldest: null }])
  expect(seen.queues[0]?.waited.find(({ lane }) => lane === 'person')?.count).toBeGreaterThan(2)
  expect(seen.proxies).toEqual([{ host: new URL(reference.graphqlUrl).host, proxy: null, problem: '' }])
  expect(seen.log.at(-1)?.text).toBe('Nordlicht: live: connecting -> live, attempt 1')
  expect(diagnosticsText(seen)).toContain('cache.db, device: 120\n')
  expect(diagnosticsText(seen)).toContain('Updates: off: this Muster runs in a browser\nFeed: none\n')
})

test('the socket history continues over a disconnect, a pause and a change', async () => {
  const { muster, reference } = await running()
  const [{ id = '' } = {}] = (await muster.call('app.state', {})).connections
  reference.misfortune.dropSockets(1012)
  const moves = async () =>
    (await muster.call('diagnostics.show', {})).connections[0]?.moves.map(
      ({ to, fault }) => `${to}${fault === null ? '' : ` ${fault.kind}`}`,
    )
  await until(async () => expect(await moves()).toEqual(['connecting', 'live', 'waiting socket', 'connecting', 'live']))
  await muster.call('connections.pause', { id, paused: true })
  expect((await moves())?.at(-1)).toBe('off')
  await muster.call('connections.pause', { id, paused: false })
  await until(async () =>
    expect(await moves()).toEqual([
      'connecting',
      'live',
      'waiting socket',
      'connecting',
      'live',
      'off',
      'connecting',
      'live',
    ]),
  )
  await muster.call('connections.remove', { id })
  expect((await muster.call('diagnostics.show', {})).connections).toEqual([])
})

test('a support bundle holds exactly the chosen files as previewed', async () => {
  const { muster } = await running()
  const first = await muster.call('support.preview', wish)
  expect(first.files.map(({ name }) => name)).toEqual([
    'about.txt',
    'diagnostics.txt',
    'diagnostics.json',
    'connections.json',
    'sockets.json',
    'drift.json',
    'settings.json',
    'journal.json',
    'muster.log',
  ])
  for (const { text, bytes } of first.files) expect(Buffer.byteLength(text)).toBe(bytes)
  const saved = await muster.call('support.save', { id: first.id, files: ['muster.log', 'drift.json', 'no such file'] })
  expect(saved.name).toMatch(/^muster-support-\d{8}-\d{4}\.zip$/u)
  const inside = unzipSync(Buffer.from(saved.zip, 'base64'))
  expect(Object.entries(inside).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual(
    ['drift.json', 'muster.log'].map((name) => [name, first.files.find((file) => file.name === name)?.text]),
  )
  await expect(muster.call('support.save', { id: first.id, files: [] })).rejects.toThrow('Choose at least one file.')
  await muster.call('support.preview', wish)
  await expect(muster.call('support.save', { id: first.id, files: ['muster.log'] })).rejects.toThrow('no longer kept')
})

test('with pseudonyms no host, connection, tenant or client id is in the bundle', async () => {
  const { muster, reference, profile } = await running({
    log: '2026-11-22T00:00:00.000Z info  Nordlicht: no way to wss://live.nordlicht.test/x by 10.1.2.3\n',
  })
  const names = [
    'Nordlicht',
    'nordlicht.test',
    '10.1.2.3',
    reference.clientId,
    ...reference.world.tenants().flatMap(({ id, name }) => [id, name]),
  ]
  appendFileSync(
    path.join(profile, 'muster.log'),
    reference.world
      .tenants()
      .map(({ id, name }) => `2026-11-22T00:00:01.000Z warn  Nordlicht: ${name} (${id}) could not be read\n`)
      .join(''),
  )
  const told = (texts: Map<string, string>) =>
    names.filter((name) => [...texts.values()].some((text) => text.toLowerCase().includes(name.toLowerCase())))
  expect(told(await textsOf(muster, { pseudonyms: true, names: true }))).toEqual([])
  expect(told(await textsOf(muster))).toEqual(names)
  const [one, two] = [await textsOf(muster, { pseudonyms: true }), await textsOf(muster, { pseudonyms: true })]
  expect(one.get('muster.log')).toMatch(
    /connection-[\da-f]{8}: no way to wss:\/\/host-[\da-f]{8}\/path-[\da-f]{8} by address-[\da-f]{8}/u,
  )
  expect(one.get('muster.log')).toBe(two.get('muster.log'))
})

test('pseudonyms replace also a connection name that equals a word of Muster', async () => {
  const { muster, reference } = await running()
  const first = (await muster.call('app.state', {})).connections[0]
  if (first === undefined) throw new Error('there is no connection')
  const names = ['AT', 'name', 'live']
  for (const name of names)
    await muster.call('connections.save', {
      ...connectionTo(reference, { name }),
      graphqlUrl: `${reference.graphqlUrl}?api_key=AKIA-${name}-1`,
      portal: 'https://portal.nordlicht.test/contosobank/d/{id}?k=portalkey123',
    })
  // A role that arrives between the two bundles would be in one of them.
  await until(async () => {
    const { connections } = await muster.call('app.state', {})
    expect(connections.map(({ access }) => access !== undefined)).toEqual([true, true, true, true])
  })
  const [asIs, madeUp] = [await textsOf(muster), await textsOf(muster, { pseudonyms: true })]
  const parsed = (texts: Map<string, string>, file: string) =>
    JSON.parse(texts.get(file) ?? '') as Record<string, unknown> | Record<string, unknown>[]
  for (const file of ['diagnostics.json', 'connections.json', 'settings.json', 'journal.json', 'sockets.json']) {
    const keys = [asIs, madeUp].map((texts) => [parsed(texts, file)].flat().map((each) => Object.keys(each)))
    expect(keys[1], file).toEqual(keys[0])
  }
  const sockets = JSON.parse(madeUp.get('sockets.json') ?? '') as { name: string; moves: { to: string }[] }[]
  expect(sockets).toHaveLength(4)
  for (const { name, moves } of sockets) {
    expect(name).toMatch(/^connection-[\da-f]{8}$/u)
    // The step that is called as a connection is replaced with it.
    for (const { to } of moves) expect([...socketSteps, ...sockets.map((socket) => socket.name)]).toContain(to)
  }
  expect(madeUp.get('muster.log')).toMatch(/connection-[\da-f]{8}: connection-[\da-f]{8}: connecting/u)
  for (const texts of [asIs, madeUp]) expect([...texts.values()].join()).not.toMatch(/AKIA|portalkey/u)
  expect(asIs.get('connections.json')).toContain('/graphql?api_key=[hidden]')
  expect([...madeUp.values()].join()).not.toMatch(/contosobank|([\dA-F]{2}:){8}/u)
  expect(madeUp.get('connections.json')).toMatch(/"fingerprint": "certificate-[\da-f]{8}"/u)
})

test('pseudonyms replace removed connections, proxies and the feed in the log', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const profile = temporaryProfile(leftovers)
  const log = openLog(profile, systemClock, () => {})
  const env = { HTTPS_PROXY: 'http://gatekeeper:3128' }
  const first = await openConsole(leftovers, profile, { writes: log, env })
  await first.call('connections.save', connectionTo(reference, { name: 'Nordlicht' }))
  await whenRead(first)
  const tenant = reference.world.tenants()[0]
  if (tenant === undefined) throw new Error('the world has no tenant')
  await first.call('connections.save', {
    ...connectionTo(reference, { name: 'Quelle & Söhne' }),
    subscriptionUrl: 'wss://quellhost/graphql',
  })
  await until(() => expect(first.log.join('\n')).toContain('the proxy ‹host gatekeeper›'))
  // A service may name anybody in its own words.
  reference.misfortune.dropSockets(1012, `${reference.clientId} of ${tenant.name} at quellhost`)
  await until(() => expect(first.log.some((line) => line.includes(tenant.name))).toBe(true))
  for (const { id } of (await first.call('app.state', {})).connections.toReversed())
    await first.call('connections.remove', { id })
  await first.stop()
  // As shells write it, beside the core's own lines.
  log('warn', 'the proxy gatekeeper:3128 refused the name and password')
  log('warn', 'updates: The feed’s host name could not be found: feed.quelle.test.')
  const written = readFileSync(path.join(profile, 'muster.log'), 'utf8')
  const names = [
    'Nordlicht',
    'Quelle & Söhne',
    'gatekeeper',
    'feed.quelle.test',
    'quellhost',
    reference.clientId,
    tenant.name,
  ]
  expect(names.filter((name) => !written.includes(name))).toEqual([])

  const muster = await openConsole(leftovers, profile, { writes: log, env })
  await muster.call('settings.change', { updateFeed: 'https://feed.quelle.test/muster' })
  const bundle = async (pseudonyms: boolean) =>
    [...(await textsOf(muster, { pseudonyms, names: true })).values()].join('\n')
  const told = (text: string) => names.filter((name) => text.toLowerCase().includes(name.toLowerCase()))
  expect(told(await bundle(true))).toEqual([])
  expect(told(await bundle(false))).toEqual(names)
  expect(await bundle(false)).toContain(' Nordlicht: live: connecting -> live')
})

test('the home folder is shown as ~', async () => {
  const { muster } = await running({
    log: `2026-11-22T00:00:00.000Z warn  found at the start: settings-damaged (${path.join(homedir(), 'muster', 'settings.damaged.json')})\n`,
  })
  expect((await textsOf(muster)).get('muster.log')).toContain(`(${path.join('~', 'muster', 'settings.damaged.json')})`)
})

test('devices and filters are included only where that is chosen', async () => {
  const { muster, reference } = await running()
  await muster.call('settings.change', { filterHistory: ['site:"Secret Site"'] })
  const [device] = reference.world.devices()
  if (device === undefined) throw new Error('the world has no device')
  const before = muster.patches.length
  reference.world.setConnected(device.id, !device.connected)
  await until(() => expect(muster.patches.length).toBeGreaterThan(before))
  const busy = async (names: boolean) =>
    JSON.parse((await textsOf(muster, { names })).get('journal.json') ?? '') as {
      busiest: { device: string; key?: string; transitions: number }[]
    }
  await until(async () => expect((await busy(true)).busiest[0]?.device).toBe(device.name))
  expect(Object.keys((await busy(false)).busiest[0] ?? {})).toEqual(['device', 'transitions'])
  expect((await busy(false)).busiest[0]?.device).toBe('device 1')
  expect([...(await textsOf(muster)).values()].join()).not.toContain('Secret Site')
  expect((await textsOf(muster, { names: true })).get('settings.json')).toContain('Secret Site')
})

test('certificates of an update feed are shown by fingerprint and expiry', async () => {
  const { muster, reference } = await running()
  await muster.call('settings.change', { updateCa: connectionTo(reference).ca })
  const settings = JSON.parse((await textsOf(muster)).get('settings.json') ?? '') as Record<string, unknown>
  expect(settings['updateCertificates']).toEqual([
    { fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}[\dA-F]{2}$/u), until: expect.any(String) },
  ])
  expect(JSON.stringify(settings)).not.toContain('BEGIN CERTIFICATE')
})

test('a folder in the place of the log and a stopped data thread are reported without delay', async () => {
  const { muster, profile } = await running()
  mkdirSync(path.join(profile, 'muster.log'))
  const texts = await textsOf(muster)
  expect(texts.get('muster.log')).toContain('Nordlicht: live: connecting -> live')
  rmSync(path.join(profile, 'muster.log'), { recursive: true })
  await muster.stop()
  const { dataSilent, threads } = await muster.call('diagnostics.show', {})
  expect(dataSilent).toBe('it does not answer (stopped)')
  expect(threads.map(({ name }) => name)).toEqual(['core'])
  expect((await textsOf(muster)).get('journal.json')).toBe('null\n')
})
