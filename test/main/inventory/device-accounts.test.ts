import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import type { DeviceFact } from '../../../src-main/inventory/thread/protocol.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls
const open = () => {
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
}
beforeEach(() => {
  temp = tempProfile()
  open()
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const read = (generation: number, devices: DeviceFact[]) =>
  calls.page(pageOf(devices, { connection, generation, requestOrder: generation, at: generation * 1000 }))
const retail = { id: 'a1', name: 'Retail' }
const lab = { id: 'a2', name: 'Lab' }
const names = new Map([
  ['s1', 'Berlin'],
  ['s2', 'Paris'],
])
/** Lists two accounts, and which of them has each site. */
const list = (at: number, bySite: Record<string, string | null>, accounts = [retail, lab]) =>
  calls.places({
    service,
    connection,
    tenant: acme.id,
    places: {
      accounts,
      sites: Object.entries(bySite).map(([id, account]) => ({ id, name: names.get(id) ?? id, account })),
      rooms: [],
    },
    requestOrder: at,
    at,
  })
const accountsOf = (id = 'a') =>
  store.journal.history.placesOf(key(id), 0, Infinity).map(({ from, account }) => [from, account?.name ?? null])

test('a page enters the account of the site, where the lists have it', () => {
  list(1, { s1: 'a1' })
  read(1, [fact('a'), fact('b', { site: { id: 's9', name: 'Unlisted' } }), fact('c', { site: null, room: null })])
  expect(['a', 'b', 'c'].map(accountsOf)).toEqual([[[1000, 'Retail']], [[1000, null]], [[1000, null]]])
})

test('an account that was read later makes no entry of its own in the history; another one does', () => {
  read(1, [fact('a')])
  list(2000, { s1: 'a1' })
  const history = () => calls.deviceHistory({ key: key('a') }).places.map(({ from, account }) => [from, account?.name])
  expect(history()).toEqual([[1000, 'Retail']])
  list(3000, { s1: 'a2' })
  expect(history()).toEqual([
    [3000, 'Lab'],
    [1000, 'Retail'],
  ])
})

test('a list that comes after the page enters the account of its devices', () => {
  read(1, [fact('a')])
  list(2000, { s1: 'a1' })
  expect(accountsOf()).toEqual([
    [1000, null],
    [2000, 'Retail'],
  ])
  const { sequence } = store
  list(3000, { s1: 'a1' })
  read(4, [fact('a')])
  expect(store.sequence).toBe(sequence)
})

test('a site that moves to another account takes its devices with it, and no others', () => {
  list(1, { s1: 'a1', s2: 'a1' })
  read(1, [fact('a'), fact('b', { site: { id: 's2', name: 'Paris' } })])
  list(2000, { s1: 'a2', s2: 'a1' })
  expect(accountsOf()).toEqual([
    [1000, 'Retail'],
    [2000, 'Lab'],
  ])
  expect(accountsOf('b')).toEqual([[1000, 'Retail']])
})

test('a new name of an account is entered', () => {
  list(1, { s1: 'a1' })
  read(1, [fact('a')])
  list(2000, { s1: 'a1' }, [{ id: 'a1', name: 'Retail North' }, lab])
  expect(accountsOf().at(-1)).toEqual([2000, 'Retail North'])
})

test('a device that moves takes the account of its new site, or none where that is not known', () => {
  list(1, { s1: 'a1', s2: 'a2' })
  read(1, [fact('a')])
  read(2, [fact('a', { site: { id: 's2', name: 'Paris' } })])
  read(3, [fact('a', { site: { id: 's3', name: 'Rome' } })])
  calls.events({ service, events: [event('a', { name: 'Live', order: 40, at: 4000 })] })
  expect(accountsOf()).toEqual([
    [1000, 'Retail'],
    [2000, 'Lab'],
    [3000, null],
    [4000, null],
  ])
})

test('an account that is no longer listed is no move', () => {
  list(1, { s1: 'a1' })
  read(1, [fact('a')])
  list(2000, { s1: null })
  read(3, [fact('a')])
  calls.close(undefined)
  open()
  read(4, [fact('a')])
  expect(accountsOf()).toEqual([[1000, 'Retail']])
})

test('of a site with many devices some are entered at once, and the others with their next page', () => {
  const devices = Array.from({ length: 1500 }, (_, n) => fact(`d${n}`))
  read(1, devices)
  list(2000, { s1: 'a1' })
  const last = () => devices.map(({ id }) => accountsOf(id).at(-1)?.[1] ?? null)
  expect(last().filter((name) => name === 'Retail')).toHaveLength(1000)
  read(3, devices)
  expect(new Set(last())).toEqual(new Set(['Retail']))
})
