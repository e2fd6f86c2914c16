import { describe, expect, test } from 'vitest'
import { openChannelList } from '../../../src-main/channels/list.ts'
import type { Secrets } from '../../../src-main/ports.ts'
import { openMemory } from '../../../src-main/secrets/memory.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { mailChannel, webhookChannel } from '../../support/channels.ts'

const address = 'https://hooks.example.com/verysecret'

/** Settings in memory whose disk may be full, and secrets whose keychain may be locked. */
async function setup(stored: unknown = undefined, secrets: Record<string, string> = {}) {
  const disk = { full: false, locked: false, value: stored }
  const memory = openMemory('a test')
  for (const [account, secret] of Object.entries(secrets)) await memory.set(account, secret)
  const lockable =
    <Rest extends unknown[], Result>(call: (...rest: Rest) => Promise<Result>) =>
    async (...rest: Rest): Promise<Result> => {
      if (disk.locked) throw new FaultError('keychain-locked', '')
      return call(...rest)
    }
  const keychain: Secrets = {
    ...memory,
    get: lockable(memory.get),
    set: lockable(memory.set),
    remove: lockable(memory.remove),
  }
  const open = () =>
    openChannelList(
      {
        get: () => disk.value,
        set(_key, value) {
          if (disk.full) throw new Error('ENOSPC')
          disk.value = structuredClone(value)
        },
        damaged: null,
      },
      keychain,
    )
  return { disk, memory, open, list: open() }
}
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (thrown: unknown) => (thrown instanceof FaultError ? thrown.fault.kind : String(thrown)),
  )

test('channels are in the order of their names and are there after a restart', async () => {
  const { list, open } = await setup()
  await list.save(webhookChannel({ id: '1', name: 'zeta' }), { address })
  await list.save(webhookChannel({ id: '2', name: 'Ärger' }), { address })
  await list.save(mailChannel({ id: '3', name: 'beta' }), null)
  await list.save(mailChannel({ id: '3', name: 'Beta' }), null)
  expect(list.all().map(({ name }) => name)).toEqual(['Ärger', 'Beta', 'zeta'])
  expect(open().all()).toEqual(list.all())
  expect([list.find('2')?.name, list.find('9')]).toEqual(['Ärger', null])
})

test('secrets are in the keychain and never in the settings', async () => {
  const { list, disk, memory } = await setup()
  await list.save(webhookChannel({ host: 'hooks.example.com' }), { address, key: 'whsec_key' })
  await list.save(mailChannel({ user: 'ops' }), { password: 'verysecret' })
  expect(JSON.stringify(disk.value)).not.toMatch(/secret|whsec/u)
  expect(await list.secret('hook')).toEqual({ address, key: 'whsec_key' })
  expect(await memory.get('channel:mail')).toBe('{"password":"verysecret"}')
})

describe('a settings file that cannot be written', () => {
  test('leaves a new channel unsaved and its secret unknown', async () => {
    const { list, disk, memory } = await setup()
    disk.full = true
    expect(await faultOf(list.save(webhookChannel(), { address }))).toBe('storage')
    expect([list.all(), await memory.get('channel:hook')]).toEqual([[], null])
  })

  test('leaves a changed channel and its secret as they were', async () => {
    const { list, disk } = await setup()
    await list.save(webhookChannel(), { address })
    disk.full = true
    expect(await faultOf(list.save(webhookChannel({ name: 'New' }), { address: `${address}2` }))).toBe('storage')
    expect([list.find('hook')?.name, await list.secret('hook')]).toEqual(['Hook', { address }])
    expect(await faultOf(list.save(webhookChannel({ name: 'New' }), null))).toBe('storage')
    expect(list.find('hook')?.name).toBe('Hook')
  })

  test('leaves a removed channel there, with its secret', async () => {
    const { list, disk } = await setup()
    await list.save(webhookChannel(), { address })
    disk.full = true
    expect(await faultOf(list.remove('hook'))).toBe('storage')
    expect([list.find('hook')?.name, await list.secret('hook')]).toEqual(['Hook', { address }])
  })
})

describe('a locked keychain', () => {
  test('lets nothing be changed that has a secret', async () => {
    const { list, disk } = await setup()
    await list.save(webhookChannel(), { address })
    disk.locked = true
    expect(await faultOf(list.save(webhookChannel({ name: 'New' }), { address }))).toBe('keychain-locked')
    expect(await faultOf(list.remove('hook'))).toBe('keychain-locked')
    expect(await faultOf(list.secret('hook'))).toBe('keychain-locked')
    expect(list.find('hook')?.name).toBe('Hook')
  })

  test('lets a channel be changed that keeps its secret', async () => {
    const { list, disk } = await setup()
    await list.save(webhookChannel(), { address })
    disk.locked = true
    await list.save(webhookChannel({ name: 'New' }), null)
    expect(list.find('hook')?.name).toBe('New')
  })
})

describe('damage', () => {
  const damaged = { id: 'x', kind: 'fax', number: 7 }

  test('of an entry is counted, and it stays in the file', async () => {
    const { list, disk } = await setup([damaged, webhookChannel(), 'text'])
    expect([list.all().map(({ id }) => id), list.unread]).toEqual([['hook'], 2])
    await list.save(mailChannel(), null)
    await list.remove('hook')
    expect(disk.value).toEqual([mailChannel(), damaged, 'text'])
  })

  test('of the whole list does not keep Muster from starting', async () => {
    for (const value of ['text', 7, {}, null]) expect((await setup(value)).list.all()).toEqual([])
  })

  test('of a secret is a fault, and no secret is none', async () => {
    for (const text of ['no json', '7', '{"address":7}']) {
      const { list } = await setup([webhookChannel()], { 'channel:hook': text })
      expect([text, await faultOf(list.secret('hook'))]).toEqual([text, 'keychain'])
    }
    expect(await (await setup([webhookChannel()])).list.secret('hook')).toBeNull()
  })
})
