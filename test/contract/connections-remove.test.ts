import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Secrets } from '../../src-main/ports.ts'
import { connectionTo, createLeftovers, openConsole, service, temporaryProfile, until, type Console } from '../support/estate.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A keychain whose whole contents can be looked at. */
function keychainDouble(): Secrets & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept, kind: 'keychain', detail: 'a test',
    get: async (account) => kept.get(account) ?? null,
    set: async (account, secret) => void kept.set(account, secret),
    remove: async (account) => void kept.delete(account),
  }
}

/** Everything that lies in the profile, byte by byte. */
const bytesOf = (profile: string): Buffer => Buffer.concat(
  readdirSync(profile, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).map((each) => readFileSync(path.join(each.parentPath, each.name))),
)

/** Two customers of one service, each with a tenant of its own, read and with a history. */
async function twoCustomers(more: { secrets?: ReturnType<typeof keychainDouble> } = {}) {
  const reference = await service(leftovers, { devices: 400, tenants: 2, credentials: 'per-tenant' })
  const profile = temporaryProfile(leftovers)
  const secrets = more.secrets ?? keychainDouble()
  const muster = await openConsole(leftovers, profile, { secrets })
  const customers = await Promise.all(reference.credentials.list().map(async ({ clientId, clientSecret, name, reach }) => {
    const { id } = await muster.call('connections.save', connectionTo(reference, { name: `Customer ${name}`, clientId, clientSecret, portal: `https://${clientId}.test/{id}` }))
    const devices = reference.world.devices().filter(({ tenantId }) => reach?.tenants?.includes(tenantId))
    // Other names may be those of models, or of another customer's devices.
    const others = new Set(reference.world.devices().filter((device) => !devices.includes(device)).map((device) => device.name))
    const names = devices.map((device) => device.name).filter((text) => text.length > 20 && !others.has(text))
    return { id, clientId, clientSecret, name, devices, words: [id, clientId, clientSecret, name, ...names, ...devices.map((device) => device.id)] }
  }))
  await until(async () => {
    expect(reference.subscribedIds()).toHaveLength(400)
    for (const state of await statesOf(muster)) expect(state).toMatchObject({ link: { state: 'live' }, sync: { state: 'idle' }, lastReadingAt: expect.any(Number) })
  })
  for (const { id, connected } of reference.world.devices()) reference.world.setConnected(id, connected !== true)
  await until(async () => expect((await muster.call('inventory.counts', { scope: 'all' })).counts?.unknown).toBe(0))
  const [gone, stays] = customers
  if (gone === undefined || stays === undefined) throw new Error('two customers were wanted')
  return { reference, profile, secrets, muster, gone, stays }
}

const statesOf = async (muster: Console) => (await muster.call('app.state', {})).connections
const found = (bytes: Buffer, words: readonly string[]) => words.filter((word) => bytes.includes(word))

test('a removed connection leaves nothing behind: not in the keychain, not in a file, in no byte of it', async () => {
  const { profile, secrets, muster, gone, stays } = await twoCustomers()
  expect(found(bytesOf(profile), gone.words).length).toBeGreaterThan(gone.devices.length)
  await muster.call('connections.remove', { id: gone.id })
  expect([...secrets.kept]).toEqual([[stays.id, stays.clientSecret]])
  expect(found(bytesOf(profile), gone.words)).toEqual([])
  // The other one lost nothing.
  const kept = stays.words.filter((word) => word !== stays.clientSecret)
  expect(found(bytesOf(profile), kept)).toEqual(kept)
  const { counts } = await muster.call('inventory.counts', { scope: 'all' })
  expect((counts?.connected ?? 0) + (counts?.disconnected ?? 0)).toBe(stays.devices.length)
  await muster.stop()
  expect(found(bytesOf(profile), gone.words)).toEqual([])
  expect(found(bytesOf(profile), kept)).toEqual(kept)
})
