import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
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

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const countOf = async (muster: Console) =>
  (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total
const idsOf = async (muster: Console) => (await muster.call('app.state', {})).connections.map(({ id }) => id)

/** A profile with what one connection has read. */
async function readOnce() {
  const reference = await service(leftovers, { devices: 30, tenants: 1 })
  const profile = temporaryProfile(leftovers)
  const file = path.join(profile, 'settings.json')
  const muster = await openConsole(leftovers, profile)
  const { id } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  await muster.stop()
  const whole = readFileSync(file, 'utf8')
  return { reference, profile, file, id, whole }
}

test('set-aside settings delete no inventory, neither at once nor once they are repaired', async () => {
  const { profile, file, id, whole } = await readOnce()
  writeFileSync(file, whole.slice(0, 100))
  for (const start of ['put aside', 'after that']) {
    const muster = await openConsole(leftovers, profile)
    expect([start, await idsOf(muster), await countOf(muster)]).toEqual([start, [], 30])
    expect((await muster.call('inventory.counts', { scope: 'all' })).counts).toEqual({
      connected: 0,
      disconnected: 0,
      unknown: 30,
    })
    await muster.stop()
  }
  writeFileSync(file, whole)
  const mended = await openConsole(leftovers, profile)
  expect([await idsOf(mended), await countOf(mended)]).toEqual([[id], 30])
})

test('a connection entered again after set-aside settings can be removed with its inventory', async () => {
  const { reference, profile, file, whole } = await readOnce()
  writeFileSync(file, whole.slice(0, 100))
  const muster = await openConsole(leftovers, profile)
  const again = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  expect(await countOf(muster)).toBe(30)
  await muster.call('connections.remove', again)
  expect(await countOf(muster)).toBe(0)
})

test('an unreadable connection record keeps its inventory when another connection is removed', async () => {
  const { reference, profile, file, whole } = await readOnce()
  const settings = JSON.parse(whole) as { connections: object[] }
  writeFileSync(
    file,
    JSON.stringify({ ...settings, connections: settings.connections.map((record) => ({ ...record, tokenUrl: 7 })) }),
  )
  const other = await service(leftovers, { devices: 20, tenants: 1, seed: 2 })
  const muster = await openConsole(leftovers, profile)
  expect(await countOf(muster)).toBe(30)
  const added = await muster.call('connections.save', connectionTo(other))
  await whenRead(muster)
  expect(await countOf(muster)).toBe(50)
  await muster.call('connections.remove', added)
  expect(await countOf(muster)).toBe(30)
  expect(reference.openSockets()).toBe(0)
})

test('a connection deleted from the settings by hand is erased at the next start', async () => {
  const { reference, profile, file, id } = await readOnce()
  const other = await service(leftovers, { devices: 20, tenants: 1, seed: 2 })
  const muster = await openConsole(leftovers, profile)
  await muster.call('connections.save', connectionTo(other, { name: 'Berg' }))
  await until(async () => expect(await countOf(muster)).toBe(50))
  await muster.stop()
  const settings = JSON.parse(readFileSync(file, 'utf8')) as { connections: { id: string }[] }
  writeFileSync(
    file,
    JSON.stringify({ ...settings, connections: settings.connections.filter((record) => record.id !== id) }),
  )
  const again = await openConsole(leftovers, profile)
  expect(await countOf(again)).toBe(20)
  expect(reference.openSockets()).toBe(0)
})
