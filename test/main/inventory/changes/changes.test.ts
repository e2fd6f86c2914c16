import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallInput } from '../../../../src-shared/contract/contract.ts'
import type { ChangeKind } from '../../../../src-shared/contract/changes-calls.ts'
import { openStore, type Store } from '../../../../src-main/inventory/store.ts'
import { type Calls, callsOn } from '../../../../src-main/inventory/thread/calls.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from '../profile.ts'

const hour = 3_600_000
const day = 24 * hour
/** The records begin long before the compared time. */
const began = 10 * day
const from = 20 * day
const until = 22 * day
const now = 30 * day
const flap = { transitions: 5, ms: hour / 2 }

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls
let order = 10

beforeEach(() => {
  temp = tempProfile()
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
  calls.page(
    pageOf(
      ['a', 'b', 'c', 'd', 'e'].map((id) => fact(id, { name: `name ${id}` })),
      { at: began },
    ),
  )
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const seen = (id: string, at: number, connected: boolean) =>
  calls.events({ service, events: [event(id, { tenant: acme.id, connected, at, order: ++order })] })
const missed = (id: string, notBefore: number, at: number, connected: boolean) =>
  store.journal.enter([
    { key: key(id), state: { connected, at, notBefore, since: null }, transition: { at, notBefore, connected } },
  ])
const reported = (id: string, at: number, more: Parameters<typeof fact>[1]) =>
  calls.page(pageOf([fact(id, { name: `name ${id}`, ...more })], { at, requestOrder: ++order }))

type Asked = Partial<CallInput<'changes.read'>>
function read(asked: Asked = {}) {
  const input = { from, until, kinds: [], text: '', offset: 0, limit: 100, flap, now, ...asked }
  for (;;) {
    const answer = calls.changesRead(input)
    if (answer !== null) return answer
  }
}
const found = (asked: Asked = {}) => read(asked).changes.map(({ kind, key: of, at }) => [kind, of, at])

describe('the status of a device', () => {
  test('that went offline and stayed so has changed, one that came back has not', () => {
    seen('a', from + hour, false)
    seen('b', from + hour, false)
    seen('b', from + 2 * hour, true)
    expect(found()).toEqual([['offline', key('a'), from + hour]])
    expect(read().changes[0]).toMatchObject({ name: 'name a', tenant: acme.name, disconnects: 1, isListed: true })
  })

  test('that was offline at the beginning and is online at the end is back', () => {
    seen('a', from - hour, false)
    seen('a', from + hour, true)
    seen('b', from - hour, false)
    expect(found()).toEqual([['back', key('a'), from + hour]])
  })

  test('that was offline when it was first seen has not gone offline', () => {
    reported('f', from + hour, { connected: false })
    expect(found()).toEqual([['appeared', key('f'), from + hour]])
  })

  test('that is not known at the end has not changed', () => {
    seen('a', from + hour, false)
    missed('a', until - hour, until + hour, true)
    expect(found()).toEqual([])
    expect(found({ until: until + 2 * hour })).toEqual([])
  })

  test('that changed after the time does not count', () => {
    seen('a', until + hour, false)
    expect(found()).toEqual([])
  })

  test('that changes often within a short time flaps, and the same spread over days does not', () => {
    for (let n = 0; n < 6; n += 1) {
      seen('a', from + hour + n * 60_000, n % 2 === 1)
      seen('b', from + hour + n * 2 * hour, n % 2 === 1)
    }
    expect(found()).toEqual([['flapped', key('a'), from + hour + 5 * 60_000]])
    expect(read().changes[0]?.disconnects).toBe(3)
  })
})

describe('the name and place of a device', () => {
  test('that differ at the end are renamed and moved, with what was before', () => {
    reported('a', from + hour, { name: 'new a' })
    reported('b', from + 2 * hour, { site: { id: 's2', name: 'Berlin' }, room: { id: 'r9', name: 'Room 9' } })
    expect(found()).toEqual([
      ['moved', key('b'), from + 2 * hour],
      ['renamed', key('a'), from + hour],
    ])
    expect(read({ kinds: ['renamed'] }).changes[0]).toMatchObject({ name: 'new a', before: 'name a' })
    expect(read({ kinds: ['moved'] }).changes[0]).toMatchObject({ site: 'Berlin', room: 'Room 9' })
  })

  test('that were changed and changed back have not changed', () => {
    reported('a', from + hour, { name: 'new a' })
    reported('a', from + 2 * hour, {})
    expect(found()).toEqual([])
  })

  test('of a device that the service lists anew, or no longer, are told', () => {
    reported('f', from + hour, {})
    calls.departed({
      service,
      tenant: acme.id,
      connection,
      ids: ['e'],
      requestOrder: ++order,
      at: from + 3 * hour,
    })
    expect(found()).toEqual([
      ['gone', key('e'), from + 3 * hour],
      ['appeared', key('f'), from + hour],
    ])
    expect(read({ kinds: ['gone'] }).changes[0]).toMatchObject({ name: 'name e', isListed: false, tenant: acme.name })
  })

  test('that goes at the end of the time counts, and one that goes after it does not', () => {
    calls.departed({ service, tenant: acme.id, connection, ids: ['e'], requestOrder: ++order, at: until })
    expect(found()).toEqual([['gone', key('e'), until]])
    expect(found({ until: until - 1 })).toEqual([])
  })

  test('are not told as new where the records begin', () => {
    expect(found({ from: began - day, until: began + day })).toEqual([])
    expect(read().recordedSince).toBe(began)
  })
})

test('a time of which nothing is recorded differs from one in which nothing changed', () => {
  expect(read({ from: began - 2 * day, until: began - day }).statusSince).toBeNull()
  expect(read({ from: began - day, until }).statusSince).toBe(began)
  expect(read().statusSince).toBe(from)
})

test('changes are counted by kind, narrowed by text, and paged', () => {
  for (const id of ['a', 'b', 'c']) seen(id, from + hour, false)
  reported('d', from + hour, { name: 'Foyer' })
  expect(read().counts).toMatchObject({ offline: 3, renamed: 1, moved: 0 })
  expect(read({ text: ' FOYER ' }).counts).toMatchObject({ offline: 0, renamed: 1 })
  expect(read({ text: 'name d' }).total).toBe(1)
  const page = read({ kinds: ['offline' satisfies ChangeKind], offset: 1, limit: 1 })
  expect([page.total, page.changes.length, page.counts.renamed]).toEqual([3, 1, 1])
})

test('the export has all that match, and no cell that a spreadsheet takes for a formula', () => {
  reported('a', from + hour, { name: '=1+1' })
  const input = { from, until, kinds: [], text: '', row: 0, flap, now }
  let answer = calls.changesCsv(input)
  while (answer === null) answer = calls.changesCsv(input)
  expect(answer.text.split('\r\n')).toEqual([
    'change,at,name,tenant,site,room,before,after,disconnects,device',
    `renamed,${new Date(from + hour).toISOString()},'=1+1,${acme.name},Berlin,Room 1,name a,,0,a`,
    '',
  ])
  expect(answer.next).toBeNull()
})
