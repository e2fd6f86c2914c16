import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { acme, fact, pageOf, service, tempProfile } from './profile.ts'

let temp: ReturnType<typeof tempProfile>
let calls: Calls
beforeEach(() => {
  temp = tempProfile()
  calls = callsOn(openStore(temp.profile, 1, 0))
  for (const connection of ['reader', 'standby']) calls.tenants({ service, connection, tenants: [acme], at: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const idsOf = (connection?: string) =>
  calls.ids({ service, tenant: acme.id, ...(connection === undefined ? {} : { connection }) }).toSorted()
const adopt = (to = 'standby') => calls.adopt({ service, tenant: acme.id, from: 'reader', to, at: 9000 })
const read = (connection: string, ids: string[]) => {
  const generation = calls.nextGeneration({ service, tenant: acme.id, connection })
  calls.page(
    pageOf(
      ids.map((id) => fact(id)),
      { connection, generation, requestOrder: generation, at: generation * 1_000 },
    ),
  )
  calls.finish({ service, tenant: acme.id, connection, generation, at: generation * 1_000 })
}

test("the standby adopts the reader's devices when the reader is removed, also after a restart", () => {
  read('reader', ['a', 'b'])
  expect(idsOf('standby')).toEqual([])
  adopt()
  expect(idsOf('standby')).toEqual(['a', 'b'])
  calls.close(undefined)
  calls = callsOn(openStore(temp.profile, 1, 0))
  calls.forget({ connection: 'reader' })
  expect(idsOf()).toEqual(['a', 'b'])
})

test('a device that the reader no longer reads, the standby does not keep', () => {
  read('standby', ['a', 'ghost'])
  read('reader', ['a', 'b'])
  adopt()
  expect(idsOf()).toEqual(['a', 'b'])
  read('reader', ['b'])
  expect(idsOf()).toEqual(['a', 'b'])
  adopt()
  expect(idsOf()).toEqual(['b'])
})

test('a connection that does not list the tenant adopts nothing', () => {
  read('reader', ['a'])
  adopt('stranger')
  expect(idsOf('stranger')).toEqual([])
  expect(adopt('reader')).toMatchObject({ devices: [], structure: false })
})

test('devices are counted for each connection that has read them', () => {
  const counts = () =>
    Object.fromEntries(
      calls
        .connectionCounts(undefined)
        .connections.filter(({ counts }) => Object.values(counts).some((count) => count > 0))
        .map(({ id, counts }) => [id, Object.values(counts).reduce((sum, count) => sum + count)]),
    )
  read('reader', ['a', 'b', 'c'])
  expect(counts()).toEqual({ reader: 3 })
  adopt()
  expect(counts()).toEqual({ reader: 3, standby: 3 })
  read('reader', ['b'])
  adopt()
  expect(counts()).toEqual({ reader: 1, standby: 1 })
  calls.forget({ connection: 'reader' })
  expect(counts()).toEqual({ standby: 1 })
})
