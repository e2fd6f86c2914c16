import { writeFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PlaceReport } from '../../../../src-main/storage/journal/device-places.ts'
import { type Journal, openJournal } from '../../../../src-main/storage/journal/journal.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

let journal: Journal
beforeEach(() => {
  journal = openJournal(temporaryProfile(leftovers), 0)
  leftovers.push(() => journal.close())
})

const berlin = { id: 's1', name: 'Berlin' }
const paris = { id: 's2', name: 'Paris' }
const attic = { id: 'r1', name: 'Attic' }
const whole = { name: 'Bar', account: null, site: berlin, room: attic }
const report = (at: number, over: Partial<PlaceReport> = {}): PlaceReport => ({ key: 's/t/a', at, ...over })
const enter = (...reports: PlaceReport[]) => journal.enter([], { reports, departures: null })
const close = (at: number, keys: string[], prefixes: string[] = []) =>
  journal.enter([], { reports: [], departures: { keys, prefixes, at } })
const all = (key = 's/t/a') => journal.history.placesOf(key, 0, Infinity)

test('a rename and a move each end an interval and begin one', () => {
  enter(report(100, whole))
  enter(report(200, { name: 'Bar 2' }), report(300, { site: paris, room: null }))
  expect(all()).toEqual([
    { ...whole, from: 100, until: 200 },
    { ...whole, name: 'Bar 2', from: 200, until: 300 },
    { name: 'Bar 2', account: null, site: paris, room: null, from: 300, until: null },
  ])
})

test('a report that says what is stored is no change, and one without a field keeps that field', () => {
  enter(report(100, whole))
  expect(journal.changedPlaces([report(200, whole), report(200, { name: 'Bar' }), report(200)])).toEqual([])
  enter(report(200, whole), report(300))
  expect(all()).toEqual([{ ...whole, from: 100, until: null }])
})

test('a place with another name, and an account that becomes known, are changes', () => {
  enter(report(100, whole))
  enter(report(200, { site: { id: 's1', name: 'Berlin Mitte' } }))
  enter(report(300, { account: { id: 'x', name: 'Retail' } }))
  expect(all().map(({ from, site, account }) => [from, site?.name, account?.name])).toEqual([
    [100, 'Berlin', undefined],
    [200, 'Berlin Mitte', undefined],
    [300, 'Berlin Mitte', 'Retail'],
  ])
})

test('an account stays with its site, and not with another one', () => {
  const account = { id: 'x', name: 'Retail' }
  enter(report(100, { ...whole, account }))
  enter(report(200, { name: 'B' }), report(300, { site: { id: 's1', name: 'Mitte' } }), report(400, { site: paris }))
  enter(report(500, { site: null }), report(600, { site: berlin, account }))
  expect(all().map(({ from, account: of }) => [from, of?.name ?? null])).toEqual([
    [100, 'Retail'],
    [200, 'Retail'],
    [300, 'Retail'],
    [400, null],
    [500, null],
    [600, 'Retail'],
  ])
})

test('an account alone changes an open interval, and opens none', () => {
  const account = { id: 'x', name: 'Retail' }
  enter(report(100, { account }))
  expect(all()).toEqual([])
  enter(report(200, whole))
  enter(report(300, { account }))
  close(400, ['s/t/a'])
  enter(report(500, { account: { id: 'y', name: 'Other' } }))
  expect(all()).toEqual([
    { ...whole, from: 200, until: 300 },
    { ...whole, account, from: 300, until: 400 },
  ])
})

test('intervals do not overlap when the clock is set back, and their order is that of entry', () => {
  enter(report(1000, whole))
  enter(report(400, { name: 'Back' }))
  enter(report(600, { name: 'Later' }))
  enter(report(2000, { name: 'Again' }))
  close(1500, ['s/t/a'])
  enter(report(1700, { name: 'Returned' }))
  expect(all().map(({ name, from, until }) => [name, from, until])).toEqual([
    ['Bar', 1000, 1000],
    ['Back', 1000, 1000],
    ['Later', 1000, 2000],
    ['Again', 2000, 2000],
    ['Returned', 2000, null],
  ])
})

test('a device that is gone ends its interval and stays; back, it begins one with what was known', () => {
  enter(report(100, whole), report(100, { ...whole, key: 's/t/b' }), report(100, { ...whole, key: 's/u/a' }))
  close(200, ['s/t/a'])
  close(250, [], ['s/u/'])
  close(300, ['s/t/a', 'never'])
  enter(report(400, { name: 'Bar' }))
  expect(all()).toEqual([
    { ...whole, from: 100, until: 200 },
    { ...whole, from: 400, until: null },
  ])
  expect(all('s/t/b')).toEqual([{ ...whole, from: 100, until: null }])
  expect(all('s/u/a')).toEqual([{ ...whole, from: 100, until: 250 }])
})

test('intervals are read that touch the requested time', () => {
  enter(report(100, whole))
  enter(report(200, { name: 'B' }))
  enter(report(300, { name: 'C' }))
  const names = (from: number, until: number) => journal.history.placesOf('s/t/a', from, until).map(({ name }) => name)
  expect(names(0, 99)).toEqual([])
  expect(names(150, 160)).toEqual(['Bar'])
  expect(names(201, 299)).toEqual(['B'])
  expect(names(250, 900)).toEqual(['B', 'C'])
})

test('erased with its device and with its tenant', () => {
  for (const key of ['s/t/a', 's/t/ab', 's/u/a']) enter(report(100, { ...whole, key }), report(200, { key, name: 'B' }))
  journal.forget([], ['s/t/a'])
  expect([all('s/t/a'), all('s/t/ab')].map(({ length }) => length)).toEqual([0, 2])
  journal.forget(['s/t/'], [])
  expect([all('s/t/ab'), all('s/u/a')].map(({ length }) => length)).toEqual([0, 2])
})

test('closed intervals are pruned after 400 days, open ones never', () => {
  const day = 24 * 3600_000
  enter(report(1, whole), report(1, { ...whole, key: 's/t/b' }))
  enter(report(10 * day, { name: 'B' }))
  enter(report(20 * day, { name: 'C' }))
  expect(journal.ageing()).toBe(2)
  expect([journal.prune(415 * day), journal.prune(415 * day)]).toEqual([1, 0])
  expect(all().map(({ name }) => name)).toEqual(['B', 'C'])
  expect(all('s/t/b')).toHaveLength(1)
  expect(journal.ageing()).toBe(1)
})

test('a journal of version 10 opens, keeps what it has, and takes names and places', () => {
  const profile = temporaryProfile(leftovers)
  const file = path.resolve('test/main/storage/fixtures/version-10/journal.db.gz')
  writeFileSync(path.join(profile, 'journal.db'), gunzipSync(readFileSync(file)))
  const opened = openJournal(profile, 0)
  leftovers.push(() => opened.close())
  expect(opened.opened).toBe('ok')
  expect(opened.sequence()).toBe(2)
  expect(opened.state('s/t/a')).toMatchObject({ connected: false, at: 2000 })
  expect(opened.transitions('s/t/a', 9)).toEqual([{ at: 2000, notBefore: null, connected: false }])
  expect(opened.withdrawn.of('c1')).toEqual([{ key: 's/u', name: 'Umbrella', devices: 3 }])
  expect(opened.history.placesOf('s/t/a', 0, Infinity)).toEqual([])
  opened.enter([], { reports: [report(3000, whole)], departures: null })
  expect(opened.history.placesOf('s/t/a', 0, Infinity)).toEqual([{ ...whole, from: 3000, until: null }])
})
