import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, expect, test } from 'vitest'
import { calls } from '../../src-shared/contract.ts'
import type { CallInput } from '../../src-shared/contract.ts'
import { diagnosticsText } from '../../src-shared/diagnostics-text.ts'
import { allByName, connectionTo, createLeftovers, openConsole, service, temporaryProfile, until, whenRead, type Console } from '../support/estate.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function running(more: { log?: string } = {}) {
  const reference = await service(leftovers, { devices: 120, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  if (more.log !== undefined) writeFileSync(path.join(profile, 'muster.log'), more.log)
  const muster = await openConsole(leftovers, profile)
  await muster.call('connections.save', connectionTo(reference, { name: 'Nordlicht', portal: 'https://portal.nordlicht.test/{tenant}/{id}' }))
  await whenRead(muster)
  return { reference, muster, profile }
}

const wish: CallInput<'support.preview'> = { pseudonyms: false, names: false, window: 'a test' }

async function textsOf(muster: Console, wished: Partial<typeof wish> = {}) {
  const { files } = await muster.call('support.preview', { ...wish, ...wished })
  return new Map(files.map(({ name, text }) => [name, text]))
}

test('what Muster knows of itself is measured, and of this run', async () => {
  const { muster, reference } = await running()
  await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 10 })
  await muster.call('diagnostics.drawn', {})
  const seen = await until(async () => {
    const found = await muster.call('diagnostics.show', {})
    expect(found.threads.map(({ name, delay }) => [name, delay !== null])).toEqual([['core', true], ['data', true]])
    return found
  })
  expect(calls['diagnostics.show'].output.parse(seen)).toEqual(seen)
  const moments = seen.start.moments.map(({ ms }) => ms ?? NaN)
  expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  expect(moments.at(-1)).toBeLessThan(Date.now() - seen.start.at + 1)
  expect(seen.tables).toContainEqual({ file: 'cache.db', name: 'device', rows: 120, more: false })
  expect(seen.tables).toContainEqual({ file: 'cache.db', name: 'tenant', rows: 2, more: false })
  expect(seen.files.map(({ name }) => name)).toEqual(expect.arrayContaining(['cache.db', 'journal.db', 'settings.json']))
  expect(seen.connections).toMatchObject([{ name: 'Nordlicht', moves: [{ to: 'connecting', attempt: 1, fault: null }, { to: 'live' }] }])
  expect(seen.queues).toMatchObject([{ name: 'Nordlicht', waiting: 0, oldest: null }])
  expect(seen.queues[0]?.waited.find(({ lane }) => lane === 'person')?.count).toBeGreaterThan(2)
  expect(seen.proxies).toEqual([{ host: new URL(reference.graphqlUrl).host, proxy: null, problem: '' }])
  expect(seen.log.at(-1)?.text).toBe('Nordlicht: live: connecting -> live, attempt 1')
  expect(diagnosticsText(seen)).toContain('cache.db, device: 120\n')
})

test('the history of a socket goes on over an end, a pause and a change, and goes with its connection', async () => {
  const { muster, reference } = await running()
  const [{ id = '' } = {}] = (await muster.call('app.state', {})).connections
  reference.misfortune.dropSockets(1012)
  const moves = async () => (await muster.call('diagnostics.show', {})).connections[0]?.moves.map(({ to, fault }) => `${to}${fault === null ? '' : ` ${fault.kind}`}`)
  await until(async () => expect(await moves()).toEqual(['connecting', 'live', 'waiting socket', 'connecting', 'live']))
  await muster.call('connections.pause', { id, paused: true })
  expect((await moves())?.at(-1)).toBe('off')
  await muster.call('connections.pause', { id, paused: false })
  await until(async () => expect(await moves()).toEqual(['connecting', 'live', 'waiting socket', 'connecting', 'live', 'off', 'connecting', 'live']))
  await muster.call('connections.remove', { id })
  expect((await muster.call('diagnostics.show', {})).connections).toEqual([])
})

test('a bundle holds exactly what was shown of the files that were chosen, and an old preview is no longer saved', async () => {
  const { muster } = await running()
  const first = await muster.call('support.preview', wish)
  expect(first.files.map(({ name }) => name)).toEqual(['about.txt', 'diagnostics.txt', 'diagnostics.json', 'connections.json', 'sockets.json', 'drift.json', 'settings.json', 'journal.json', 'muster.log'])
  for (const { text, bytes } of first.files) expect(Buffer.byteLength(text)).toBe(bytes)
  const saved = await muster.call('support.save', { id: first.id, files: ['muster.log', 'drift.json', 'no such file'] })
  expect(saved.name).toMatch(/^muster-support-\d{8}-\d{4}\.zip$/u)
  const inside = unzipSync(Buffer.from(saved.zip, 'base64'))
  expect(Object.entries(inside).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual(['drift.json', 'muster.log'].map((name) => [name, first.files.find((file) => file.name === name)?.text]))
  await expect(muster.call('support.save', { id: first.id, files: [] })).rejects.toThrow('Choose at least one file.')
  await muster.call('support.preview', wish)
  await expect(muster.call('support.save', { id: first.id, files: ['muster.log'] })).rejects.toThrow('no longer kept')
})

test('with made-up names no host, connection, tenant or client id is in it; without, they are', async () => {
  const { muster, reference, profile } = await running({ log: '2026-11-22T00:00:00.000Z info  Nordlicht: no way to wss://live.nordlicht.test/x by 10.1.2.3\n' })
  const names = ['Nordlicht', 'nordlicht.test', '10.1.2.3', reference.clientId, ...reference.world.tenants().flatMap(({ id, name }) => [id, name])]
  appendFileSync(path.join(profile, 'muster.log'), reference.world.tenants().map(({ id, name }) => `2026-11-22T00:00:01.000Z warn  Nordlicht: ${name} (${id}) could not be read\n`).join(''))
  const told = (texts: Map<string, string>) => names.filter((name) => [...texts.values()].some((text) => text.toLowerCase().includes(name.toLowerCase())))
  expect(told(await textsOf(muster, { pseudonyms: true, names: true }))).toEqual([])
  expect(told(await textsOf(muster))).toEqual(names)
  const [one, two] = [await textsOf(muster, { pseudonyms: true }), await textsOf(muster, { pseudonyms: true })]
  expect(one.get('muster.log')).toMatch(/connection-[\da-f]{8}: no way to wss:\/\/host-[\da-f]{8}\/x by address-[\da-f]{8}/u)
  expect(one.get('muster.log')).toBe(two.get('muster.log'))
})

test('a folder of the person who made it is not named after them', async () => {
  const { muster } = await running({ log: `2026-11-22T00:00:00.000Z warn  found at the start: settings-aside (${path.join(homedir(), 'muster', 'settings.damaged.json')})\n` })
  expect((await textsOf(muster)).get('muster.log')).toContain(`(${path.join('~', 'muster', 'settings.damaged.json')})`)
})

test('devices are named, and filters told, only where that is chosen', async () => {
  const { muster, reference } = await running()
  await muster.call('settings.change', { filterHistory: ['site:"Secret Site"'] })
  const [device] = reference.world.devices()
  if (device === undefined) throw new Error('the world has no device')
  const before = muster.patches.length
  reference.world.setConnected(device.id, !device.connected)
  await until(() => expect(muster.patches.length).toBeGreaterThan(before))
  const busy = async (names: boolean) => JSON.parse((await textsOf(muster, { names })).get('journal.json') ?? '') as { busiest: { device: string; key?: string; transitions: number }[] }
  await until(async () => expect((await busy(true)).busiest[0]?.device).toBe(device.name))
  expect(Object.keys((await busy(false)).busiest[0] ?? {})).toEqual(['device', 'transitions'])
  expect((await busy(false)).busiest[0]?.device).toBe('device 1')
  expect([...(await textsOf(muster)).values()].join()).not.toContain('Secret Site')
  expect((await textsOf(muster, { names: true })).get('settings.json')).toContain('Secret Site')
})

test('of the certificates of an update feed it tells which they are, and not whose', async () => {
  const { muster, reference } = await running()
  await muster.call('settings.change', { updateCa: connectionTo(reference).ca })
  const settings = JSON.parse((await textsOf(muster)).get('settings.json') ?? '') as Record<string, unknown>
  expect(settings['updateCertificates']).toEqual([{ fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}[\dA-F]{2}$/u), until: expect.any(String) }])
  expect(JSON.stringify(settings)).not.toContain('BEGIN CERTIFICATE')
})

test('a folder in the place of the log, and a data thread that is gone, are said and hold nothing up', async () => {
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
