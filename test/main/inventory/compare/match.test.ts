import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  differenceOf,
  macOf,
  type Matched,
  matchAssets,
  matchingKeys,
} from '../../../../src-main/inventory/reads/compare/match.ts'
import type { Asset, MatchKey } from '../../../../src-shared/model/comparison.ts'
import { emptyAsset } from './empty-asset.ts'

const asset = (over: Partial<Asset> = {}): Asset => ({ ...emptyAsset, ...over })

function match(first: readonly Asset[], second: readonly Asset[], keys: readonly MatchKey[] = matchingKeys): Matched {
  const work = matchAssets(first, second, keys)
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
  }
}
const by = (one: Partial<Asset>, other: Partial<Asset>) => {
  const { matches, ambiguous } = match([asset(one)], [asset(other)])
  return matches[0]?.by ?? (ambiguous.length > 0 ? 'ambiguous' : null)
}

test.each([
  ['00:E0:DB:12:34:56', '00e0db123456'],
  ['00-e0-db-12-34-56', '00e0db123456'],
  ['00e0.db12.3456', '00e0db123456'],
  ['00E0DB123456', '00e0db123456'],
  ['00 e0 db 12 34 56', '00e0db123456'],
  ['00:e0:db:12:34', ''],
  ['Studio 00e0db123456', ''],
  ['', ''],
])('%s is the MAC address “%s”', (text, mac) => {
  expect(macOf(text)).toBe(mac)
})

test('a match is by the strongest key that both sides have', () => {
  const all = { id: 'a', serial: 'S1', mac: '00:e0:db:12:34:56', name: 'Studio', site: 'Berlin', room: 'R1' }
  expect(by(all, all)).toBe('id')
  expect(by({ ...all, id: '' }, all)).toBe('serial')
  expect(by({ ...all, id: '', serial: '' }, all)).toBe('mac')
  expect(by({ name: 'studio', site: 'BERLIN', room: 'r1' }, all)).toBe('name-and-room')
  expect(by({ name: 'Studio', site: 'Berlin', room: 'other' }, all)).toBe('name-and-site')
  expect(by({ name: 'Studio', site: 'Paris' }, all)).toBe('name')
  expect(by({ name: 'Other' }, all)).toBeNull()
  expect(by({ serial: 's-1 ' }, { serial: 'S1' })).toBe('serial')
})

test('one name with two serials is ambiguous: the device may have been replaced', () => {
  const { matches, ambiguous, missing, unexpected } = match(
    [asset({ name: 'Studio', serial: 'S1' })],
    [asset({ name: 'Studio', serial: 'S2' })],
  )
  expect([matches, missing, unexpected]).toEqual([[], [], []])
  expect(ambiguous).toMatchObject([
    {
      by: 'name',
      first: { serial: 'S1' },
      second: { serial: 'S2' },
      candidates: { first: 1, second: 1, conflict: 'serial' },
    },
  ])
})

test('a serial that two have is ambiguous on both sides, and no weaker key is asked', () => {
  const { matches, ambiguous, missing, unexpected } = match(
    [asset({ serial: 'S1', name: 'A', line: 2 }), asset({ serial: 's1', name: 'B', line: 3 }), asset({ name: 'C' })],
    [asset({ serial: 'S1', name: 'A', key: 'k' }), asset({ name: 'C' })],
  )
  expect(matches.map(({ first }) => first.name)).toEqual(['C'])
  expect(ambiguous.map(({ first, second }) => [first?.line ?? null, second?.key ?? null])).toEqual([
    [2, null],
    [3, null],
    [null, 'k'],
  ])
  expect(ambiguous[0]?.candidates).toEqual({ first: 2, second: 1, conflict: null })
  expect([missing, unexpected]).toEqual([[], []])
})

test('what stands twice in a list, and nowhere else, is missing twice', () => {
  expect(match([asset({ serial: 'S1' }), asset({ serial: 'S1' })], [asset({ serial: 'S2' })])).toMatchObject({
    missing: [{}, {}],
    unexpected: [{ serial: 'S2' }],
    ambiguous: [],
  })
})

test('names tell devices of a site apart before the rest of the names is asked', () => {
  const room = (site: string, name: string) => asset({ name: 'X50', site, room: name })
  const { matches, ambiguous } = match(
    [room('Berlin', '1'), room('Berlin', '2')],
    [room('Berlin', '1'), room('Berlin', '3')],
  )
  expect(matches.map(({ by: key, first, second }) => [key, first.room, second.room])).toEqual([
    ['name-and-room', '1', '1'],
    ['name-and-site', '2', '3'],
  ])
  expect(ambiguous).toEqual([])
})

const parts = { tenant: true, site: true }
const differs = (one: Partial<Asset>, other: Partial<Asset>, compared = parts) =>
  differenceOf({ by: 'id', first: asset(one), second: asset(other) }, compared).kinds

test('a device differs in what both sides say, and in nothing that one of them leaves out', () => {
  expect(differs({ name: 'A', model: 'X' }, { name: 'a', model: 'X', site: 'Berlin', firmware: '1' })).toEqual(['same'])
  expect(differs({ name: 'A' }, { name: 'B' })).toEqual(['renamed'])
  expect(differs({ site: 'Berlin', model: 'X', firmware: '1' }, { site: 'Paris', model: 'Y', firmware: '2' })).toEqual([
    'moved',
    'model',
    'firmware',
  ])
  expect(
    differs({ site: 'Berlin', tenant: 'A' }, { site: 'Paris', tenant: 'B' }, { tenant: false, site: false }),
  ).toEqual(['same'])
  expect(differs({ room: '1' }, { room: '2' }, { tenant: false, site: false })).toEqual(['moved'])
})

test.each([
  ['Berlin', 'same'],
  ['berlin / Room 4', 'same'],
  ['Room 4, Berlin', 'same'],
  ['Acme > Berlin > Room 4', 'same'],
  ['Berlin - Room 4', 'same'],
  ['Berlin / Room 5', 'moved'],
  ['Paris', 'moved'],
])('the place “%s” of a device in Berlin, Room 4: %s', (place, kind) => {
  expect(differs({ place }, { tenant: 'Acme', site: 'Berlin', room: 'Room 4' })).toEqual([kind])
})

/** The rule again, one asset after the other: for each key, the values that are left on each side. */
function plainly(first: readonly Asset[], second: readonly Asset[]) {
  const values: Record<string, (one: Asset) => string> = {
    id: ({ id }) => id,
    serial: ({ serial }) => serial,
    mac: ({ mac }) => macOf(mac),
    'name-and-room': ({ name, site, room }) => (name && site && room ? JSON.stringify([name, site, room]) : ''),
    'name-and-site': ({ name, site }) => (name && site ? JSON.stringify([name, site]) : ''),
    name: ({ name }) => name,
  }
  const [left, right] = [new Set(first), new Set(second)]
  let [matched, ambiguous] = [0, 0]
  for (const value of Object.values(values)) {
    const shared = new Set(
      [...left].map(value).filter((one) => one !== '' && [...right].some((other) => value(other) === one)),
    )
    for (const one of shared) {
      const [ones, others] = [
        [...left].filter((each) => value(each) === one),
        [...right].filter((each) => value(each) === one),
      ]
      const isPair = ones.length === 1 && others.length === 1
      const differ = (key: 'serial' | 'mac') => ones[0]?.[key] && others[0]?.[key] && ones[0][key] !== others[0][key]
      const isDoubtful =
        ![values['id'], values['serial'], values['mac']].includes(value) && (differ('serial') || differ('mac'))
      if (isPair && !isDoubtful) matched += 1
      else ambiguous += isPair ? 1 : ones.length + others.length
      for (const each of ones) left.delete(each)
      for (const each of others) right.delete(each)
    }
  }
  return { matched, ambiguous, missing: left.size, unexpected: right.size }
}

test('matching is as a plain search for each key', { timeout: 60_000 }, () => {
  const some = (...values: string[]) => fc.constantFrom('', ...values)
  const one = fc
    .record({
      id: some('a', 'b', 'c'),
      serial: some('s', 't', 'u', 'v'),
      mac: some('00e0db123456', '00e0db123457'),
      name: some('n', 'm', 'o'),
      site: some('x', 'y'),
      room: some('1', '2'),
    })
    .map((over) => asset(over))
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), fc.array(one, { maxLength: 12 }), (first, second) => {
      const { matches, ambiguous, missing, unexpected } = match(first, second)
      expect({
        matched: matches.length,
        ambiguous: ambiguous.length,
        missing: missing.length,
        unexpected: unexpected.length,
      }).toEqual(plainly(first, second))
    }),
    { numRuns: 2000, endOnFailure: true },
  )
})
