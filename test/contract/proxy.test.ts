import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { makeAuthority } from '../main/platform/web/certificates.ts'
import { startProxy } from '../main/platform/web/servers.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
  type Console,
} from '../support/fleet.ts'
import { keychainOf } from '../support/keychain.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A host that only a proxy finds: on loopback none is asked. */
const host = 'devices.example.test'
const served = await makeAuthority('Example Cloud')

/** The reference service behind that host: its own certificate is for loopback, so the proxy is one that looks into TLS. */
async function behind(options: Parameters<typeof startProxy>[1] = {}) {
  const reference = await service(leftovers, { devices: 60, tenants: 2 })
  const { port } = new URL(reference.graphqlUrl)
  const proxy = await startProxy(Number(port), { inspects: await served.issue([host]), ...options })
  const away = (url: string) => url.replace(/\/\/[^/]+/, `//${host}`)
  const connection = connectionTo(reference, {
    tokenUrl: away(reference.tokenUrl),
    graphqlUrl: away(reference.graphqlUrl),
    subscriptionUrl: away(reference.subscriptionUrl),
    ca: served.ca,
  })
  return { reference, proxy, connection }
}

const listed = async (muster: Console) =>
  (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 5 })).total
const faultsOf = async (muster: Console) =>
  (await muster.call('app.state', {})).connections.flatMap(({ faults }) =>
    faults.map(({ fault }) => `${fault.kind}: ${fault.detail}`),
  )
const isLive = (muster: Console) => whenConnection(muster, ({ link }) => link.state === 'live')

/** A drop comes over the socket, and so through the tunnel. */
async function hearsDrops(muster: Console, reference: Service): Promise<void> {
  const [device] = reference.world.devices().filter(({ connected }) => connected)
  if (device === undefined) throw new Error('no device is connected')
  const before = (await muster.call('app.state', {})).totals.disconnected
  reference.world.setConnected(device.id, false)
  await until(async () => expect((await muster.call('app.state', {})).totals.disconnected).toBe(before + 1))
}

test('a TLS-intercepting proxy works with its CA, and its password is stored nowhere', async () => {
  const { reference, proxy, connection } = await behind({ login: 'ann:hunter2-in-the-variable' })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, {
    env: { HTTPS_PROXY: proxy.url.replace('//', '//ann:hunter2-in-the-variable@') },
  })
  await muster.call('connections.save', connection)
  await whenRead(muster)
  await hearsDrops(muster, reference)
  expect(new Set(proxy.asked)).toEqual(new Set([`${host}:443`]))
  const state = JSON.stringify(await muster.call('app.state', {}))
  await muster.stop()
  const files = readdirSync(profile, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(path.join(each.parentPath, each.name)))
  expect(Buffer.concat([...files, Buffer.from(state), Buffer.from(muster.log.join('\n'))]).includes('hunter2')).toBe(
    false,
  )
})

test('without its CA the certificate of such a proxy is not trusted', async () => {
  const { proxy, connection, reference } = await behind()
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { env: { HTTPS_PROXY: proxy.url } })
  await muster.call('connections.save', { ...connection, ca: reference.ca })
  await until(async () => expect(await faultsOf(muster)).toEqual([`tls: ${host}:443: its authority is not known here`]))
})

test('a proxy gets the login that the operator enters, at this start and the next', async () => {
  const { proxy, connection } = await behind({ login: 'ann:hunter2' })
  const profile = temporaryProfile(leftovers)
  const [secrets, env] = [keychainOf(), { HTTPS_PROXY: proxy.url }]
  const address = proxy.url.replace('http://', '')
  const muster = await openConsole(leftovers, profile, { secrets, env })
  await muster.call('connections.save', connection)
  await until(async () => expect(await faultsOf(muster)).toEqual([`proxy-login: ${address}`]))
  const shown = async () => {
    const { proxies, banners } = await muster.call('app.state', {})
    return [proxies, banners.filter(({ fault }) => fault.kind.startsWith('proxy-')).map(({ fault }) => fault.detail)]
  }
  expect(await shown()).toEqual([[{ address, state: 'required', stored: false }], [address]])
  await muster.call('proxies.save', { address, name: 'ann', password: 'wrong' })
  await until(async () =>
    expect(await shown()).toEqual([
      [{ address, state: 'rejected', stored: true }],
      [`${address}, those of the settings`],
    ]),
  )
  expect(await faultsOf(muster)).toEqual([`proxy-refused: ${address}`])
  await muster.call('proxies.save', { address, name: 'ann', password: 'hunter2' })
  await whenRead(muster)
  expect(await shown()).toEqual([[{ address, state: 'stored', stored: true }], []])
  await muster.stop()
  const again = await openConsole(leftovers, profile, { secrets, env })
  await isLive(again)
  expect(
    JSON.stringify([
      await again.call('app.state', {}),
      again.log,
      readFileSync(path.join(profile, 'settings.json'), 'utf8'),
    ]),
  ).not.toContain('hunter2')
  await again.call('proxies.forget', { address })
  expect([...secrets.kept.keys()].filter((account) => account.startsWith('proxy'))).toEqual([])
  expect((await again.call('app.state', {})).proxies).toMatchObject([{ address, stored: false }])
})

test('a connection test behind a proxy leaves the host name to the proxy', async () => {
  const { proxy, connection } = await behind({ login: 'ann:hunter2' })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { env: { HTTPS_PROXY: proxy.url } })
  const { legs } = await muster.call('connections.test', {
    ...connection,
    graphqlUrl: connection.graphqlUrl.replace(/\/\/[^/]+/u, '//127.0.0.1:1'),
  })
  expect(legs[0]).toMatchObject({ leg: 'name', outcome: 'ok', detail: `127.0.0.1:1; ${host}: left to the proxy` })
  expect(legs[1]).toMatchObject({ leg: 'tls', outcome: 'failed', fault: { kind: 'proxy-login' } })
})

test('a proxy that goes away makes all devices unknown, and live again when it is back', async () => {
  const { reference, proxy, connection } = await behind()
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { env: { HTTPS_PROXY: proxy.url } })
  await muster.call('connections.save', connection)
  await whenRead(muster)
  await proxy.stop()
  await whenConnection(
    muster,
    ({ link, faults }) => link.state === 'waiting' && faults.some(({ fault }) => fault.kind === 'proxy-away'),
  )
  const { totals } = await muster.call('app.state', {})
  expect([totals.unknown, await listed(muster)]).toEqual([60, 60])
  await proxy.start()
  await isLive(muster)
  await hearsDrops(muster, reference)
  proxy.cut()
  await whenConnection(muster, ({ link }) => link.state !== 'live')
  await isLive(muster)
})

test('a start without a network shows the last inventory, and recovers by itself', async () => {
  const { proxy, connection } = await behind()
  const profile = temporaryProfile(leftovers)
  const more = { secrets: keychainOf(), env: { HTTPS_PROXY: proxy.url } }
  const first = await openConsole(leftovers, profile, more)
  await first.call('connections.save', connection)
  await whenRead(first)
  await first.stop()
  await proxy.stop()
  const muster = await openConsole(leftovers, profile, more)
  await whenConnection(muster, ({ link }) => link.state === 'waiting')
  const { totals, connections, incidents } = await muster.call('app.state', {})
  expect([totals, await listed(muster)]).toEqual([{ connected: 0, disconnected: 0, unknown: 60 }, 60])
  expect(connections[0]?.checks.filter(({ state }) => state === 'doubt').map(({ check }) => check)).toContain('link')
  expect(incidents.open).toEqual({ critical: 0, major: 0, minor: 0 })
  await proxy.start()
  await isLive(muster)
  await until(async () => expect((await muster.call('app.state', {})).totals.unknown).toBe(0))
})

test('the CA of such a proxy may come from NODE_EXTRA_CA_CERTS as well', async () => {
  const { proxy, connection } = await behind()
  const file = path.join(temporaryProfile(leftovers), 'company.pem')
  writeFileSync(file, served.ca)
  const asks = `import { openNetwork } from ${JSON.stringify(path.resolve('src-main/platform/web/network/network.ts'))}
    const link = openNetwork(process.env).open('')
    const told = await link.fetch(process.env.TEST_URL, { method: 'POST' }).then(({ status }) => status > 0 ? 'answered' : '', ({ message }) => message)
    console.log(told)
    await link.close()`
  const run = async (env: Record<string, string>) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', asks],
      { env: { PATH: process.env['PATH'], HTTPS_PROXY: proxy.url, TEST_URL: connection.tokenUrl, ...env } },
    )
    return stdout.trim()
  }
  expect(await run({})).toBe(`tls: ${host}:443: its authority is not known here`)
  expect(await run({ NODE_EXTRA_CA_CERTS: file })).toBe('answered')
})
