import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { webhookChannel } from '../support/channels.ts'
import { startReceiver } from '../support/receivers.ts'
import { createLeftovers, openConsole, service, temporaryProfile, until } from '../support/fleet.ts'
import { metricsToken as token, unitOf, type Reference, type Unit, type UnitOptions } from '../support/headless.ts'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import { noPostgres, startPostgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, targetOf } from '../support/postgres/team.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const unitFor = (reference: Reference, options?: UnitOptions) => unitOf(leftovers, reference, options)
interface Running {
  child: ChildProcess
  /** Where it tells health and metrics; rejects where it ends before. */
  address: Promise<string>
  ended: Promise<unknown>
  errors: string[]
}

function start({ profile, list, credentials }: Unit, ...flags: string[]): Running {
  const args = [
    path.resolve('out/main/headless.js'),
    '--profile',
    profile,
    '--connections',
    list,
    '--port',
    '0',
    ...flags,
  ]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CREDENTIALS_DIRECTORY: credentials },
  })
  const errors: string[] = []
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  const ended = once(child, 'exit')
  leftovers.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const address = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = /http:\/\/\S+$/u.exec(line)?.[0]
      if (found !== undefined) resolve(found)
    })
    void ended.then(() => reject(new Error(errors.join('\n'))))
  })
  return { child, address, ended, errors }
}

const metricsOf = async (address: string): Promise<string> => {
  const response = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  return response.text()
}
/** Returns the sum of a metric's samples whose labels contain the text. */
const valueOf = (metrics: string, name: string, labels = ''): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)

const whenReady = (address: string) =>
  until(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200), 30_000)

test('without a window it reads the fleet, and tells it as metrics that follow', { timeout: 90_000 }, async () => {
  const reference = await service(leftovers, { devices: 80, tenants: 3, life: false })
  const address = await start(unitFor(reference)).address
  await whenReady(address)
  expect((await fetch(`${address}/metrics`)).status).toBe(401)
  const online = reference.world.devices().filter(({ connected }) => connected === true)
  const metrics = await metricsOf(address)
  expect(valueOf(metrics, 'muster_devices', 'status="connected"')).toBe(online.length)
  expect(valueOf(metrics, 'muster_devices')).toBe(80)
  for (const { name } of reference.world.tenants()) expect(metrics).toContain(`tenant="${name}"`)
  await until(async () => expect(valueOf(await metricsOf(address), 'muster_connection_live')).toBe(1))
  expect(valueOf(metrics, 'muster_points_limit')).toBe(100_000)
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(async () =>
    expect(valueOf(await metricsOf(address), 'muster_devices', 'status="connected"')).toBe(online.length - 1),
  )
})

test('without a window it tells a channel of the list, whose secret is a credential', { timeout: 90_000 }, async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 1, life: false })
  const hook = await startReceiver(leftovers)
  const unit = unitFor(reference)
  const file = path.join(unit.folder, 'channels.json')
  writeFileSync(file, JSON.stringify([webhookChannel({ name: 'Night' })]))
  writeFileSync(path.join(unit.credentials, 'channel.hook'), JSON.stringify({ address: hook.address }))
  mkdirSync(unit.profile, { mode: 0o700 })
  writeFileSync(path.join(unit.profile, 'settings.json'), JSON.stringify({ holdOffSeconds: 1, groupingSeconds: 0 }))
  const address = await start(unit, '--channels', file).address
  await whenReady(address)
  await until(async () => expect(valueOf(await metricsOf(address), 'muster_connection_live')).toBe(1))
  hook.behaviour = () => ({ status: 400 })
  const [device] = reference.world.devices().filter(({ connected }) => connected === true)
  reference.world.setConnected(device?.id ?? '', false)
  await until(async () =>
    expect(valueOf(await metricsOf(address), 'muster_channel_messages', 'channel="Night",state="failed"')).toBe(1),
  )
  expect(hook.received).toHaveLength(1)
  writeFileSync(file, JSON.stringify([{ ...webhookChannel(), host: '', name: '' }]))
  await expect(start({ ...unit, profile: `${unit.profile}2` }, '--channels', file).address).rejects.toThrow(
    'The list of channels is wrong: channel 1 (hook), name: Enter a name.',
  )
})

test('after a kill the next start knows the fleet, before the service answers', { timeout: 90_000 }, async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 2, life: false })
  const unit = unitFor(reference)
  const first = start(unit)
  await whenReady(await first.address)
  first.child.kill('SIGKILL')
  await first.ended
  await reference.stop()
  const address = await start(unit).address
  expect(valueOf(await metricsOf(address), 'muster_devices')).toBe(40)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})

test('it ends in order at a signal, and a second one on the profile does not start', { timeout: 60_000 }, async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1, life: false })
  const unit = unitFor(reference)
  const first = start(unit)
  await first.address
  await expect(start(unit).address).rejects.toThrow('already running on this profile')
  first.child.kill('SIGTERM')
  expect(await first.ended).toEqual([0, null])
})

test(
  'a wrong secret leaves it running and not ready; a wrong list, and no token, end it',
  { timeout: 60_000 },
  async () => {
    const reference = await service(leftovers, { devices: 20, tenants: 1, life: false })
    const address = await start(unitFor(reference, { secret: 'not the secret' })).address
    await until(async () => expect(valueOf(await metricsOf(address), 'muster_connection_faults')).toBeGreaterThan(0))
    expect((await fetch(`${address}/readyz`)).status).toBe(503)
    const wrong = unitFor(reference)
    writeFileSync(wrong.list, 'name,token_url\r\nA,nowhere\r\n')
    await expect(start(wrong).address).rejects.toThrow(/line 2/u)
    await expect(start(unitFor(reference, { hasToken: false }), '--host', '0.0.0.0').address).rejects.toThrow(
      'metrics-token',
    )
    const empty = unitFor(reference)
    writeFileSync(path.join(empty.credentials, 'metrics-token'), '\n')
    await expect(start(empty).address).rejects.toThrow('The credential metrics-token is empty.')
  },
)

test('nothing that it leaves behind has a secret or a token', { timeout: 60_000 }, async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1, life: false })
  const unit = unitFor(reference)
  const running = start(unit)
  const address = await running.address
  await whenReady(address)
  const metrics = await metricsOf(address)
  running.child.kill('SIGTERM')
  await running.ended
  const files = readdirSync(unit.profile, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(3)
  const texts = [metrics, running.errors.join('\n')]
  for (const { parentPath, name } of files) {
    chmodSync(path.join(parentPath, name), 0o600)
    texts.push(readFileSync(path.join(parentPath, name), 'latin1'))
  }
  for (const secret of [reference.clientSecret, token])
    for (const text of texts) expect(text.includes(secret)).toBe(false)
})

test(
  `without a window it is a member of a team that reads for all${noPostgres}`,
  { skip: noPostgres !== '', timeout: 120_000 },
  async () => {
    const postgres = await startPostgres((stop) => leftovers.push(stop))
    await createRoles(postgres)
    await createDatabase(postgres, 'always')
    const addressOf = (role: 'muster_owner' | 'berta') => teamAddressText(targetOf(postgres, role, 'always').address)
    const reference = await service(leftovers, { devices: 60, tenants: 2, life: false })
    const unit = unitFor(reference)
    const file = path.join(unit.folder, 'team.json')
    writeFileSync(file, JSON.stringify({ address: addressOf('muster_owner'), operator: 'Always on' }))
    writeFileSync(path.join(unit.credentials, 'team-password'), passwords.muster_owner)
    const hook = await startReceiver(leftovers)
    const channels = path.join(unit.folder, 'channels.json')
    writeFileSync(channels, JSON.stringify([webhookChannel({ name: 'Night' })]))
    writeFileSync(path.join(unit.credentials, 'channel.hook'), JSON.stringify({ address: hook.address }))
    const address = await start(unit, '--team', file, '--channels', channels).address
    await whenReady(address)
    await until(async () => expect(valueOf(await metricsOf(address), 'muster_connection_live')).toBe(1), 40_000)
    const metrics = await metricsOf(address)
    for (const line of ['muster_team_online 1', 'muster_team_evaluates 1', 'muster_team_credential_sets_led 1'])
      expect(metrics).toContain(line)
    const berta = await openConsole(leftovers, temporaryProfile(leftovers))
    const typed = { address: addressOf('berta'), password: passwords.berta, ca: '', operator: 'Berta' }
    await berta.call('team.join', { typed, share: false })
    await until(async () => {
      const { totals, connections } = await berta.call('app.state', {})
      expect(totals.connected + totals.disconnected + totals.unknown).toBe(60)
      expect(connections[0]).toMatchObject({ readBy: 'Always on', link: { state: 'live' } })
    }, 40_000)
    await until(async () => {
      const [night] = (await berta.call('channels.read', {})).channels
      expect(night).toMatchObject({ channel: { name: 'Night' }, hasSecret: false, sender: { operator: 'Always on' } })
    }, 20_000)
    await berta.call('settings.change', { holdOffSeconds: 0, groupingSeconds: 0 })
    const [device] = reference.world.devices().filter(({ connected }) => connected === true)
    reference.world.setConnected(device?.id ?? '', false)
    await until(() => expect(hook.received).toHaveLength(1), 20_000)
    for (const name of readdirSync(unit.profile, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.json'))
        expect(readFileSync(path.join(unit.profile, name), 'utf8')).not.toContain(passwords.muster_owner)
  },
)

test('a file of a team that is wrong ends the start, and says why', { timeout: 30_000 }, async () => {
  const reference = await service(leftovers, { devices: 5, tenants: 1, life: false })
  const unit = unitFor(reference)
  const file = path.join(unit.folder, 'team.json')
  writeFileSync(file, JSON.stringify({ address: 'postgresql://anna:secret@db/muster', operator: 'Anna' }))
  const { address, errors } = start(unit, '--team', file)
  await expect(address).rejects.toThrow(/The file of the team is wrong: Leave out the password/)
  expect(errors.join('\n')).not.toContain('secret')
})
