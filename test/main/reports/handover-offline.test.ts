import { handoverOf } from '../../../src-main/reports/handover.ts'
import type { Incident, LongStanding } from '../../../src-shared/model/incidents.ts'
import { connection, handover, incident, now, tablesOf } from '../reports/text-cases.ts'
import Papa from 'papaparse'
import { expect, test } from 'vitest'

export const minute = 60_000
const page = (over: Parameters<typeof handover>[0] = {}) => handoverOf(handover(over), 'md').text
export const sheet = (over: Parameters<typeof handover>[0] = {}) => handoverOf(handover(over), 'csv').text
export const read = (text: string) =>
  Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/u, ''), { header: true, skipEmptyLines: true }).data

test('offline devices outside of open outages are counted', () => {
  const open = [
    incident({ id: 'a', devices: { down: 5, others: 0, unseen: 0, peak: 5, total: 9 } }),
    incident({
      id: 'b',
      places: [{ id: 'rome', kind: 'site', name: 'Rome' }],
      devices: { down: 2, others: 0, unseen: 3, peak: 9, total: 9 },
      acknowledged: { at: now, reason: 'Known' },
    }),
  ]
  const totals = (disconnected: number) => ({ connected: 385, disconnected, unknown: 0 })
  expect(page({ open, totals: totals(15) })).toContain(
    'Of 400 devices 15 are offline now. 8 of them are in no open outage: 8 muted or offline for less than the alert delay.',
  )
  expect(page({ open, totals: totals(15), longStanding: { total: 6, spares: 6, rows: [] } })).toContain(
    '8 of them are in no open outage: 6 long-standing, 2 muted or offline for less than the alert delay.',
  )
  expect(page({ open, totals: totals(8), longStanding: { total: 1, spares: 1, rows: [] } })).toContain(
    '1 of them is in no open outage: 1 long-standing.',
  )
  expect(page({ open, totals: totals(7) })).not.toContain('in no open outage')
})

test('each open outage counts its own devices, whatever place they share', () => {
  const place = (id: string) => ({ id, kind: 'site' as const, name: id })
  const of = (id: string, shape: Incident['shape'], down: number, places: string[]) =>
    incident({ id, shape, devices: { down, others: 2, unseen: 0, peak: down, total: 20 }, places: places.map(place) })
  const open = [
    of('a', 'node', 4, ['room', 'berlin']),
    of('b', 'node', 12, ['berlin']),
    of('d', 'device', 1, ['rome']),
    of('e', 'several', 5, ['europe']),
  ]
  const pageOf = (disconnected: number, more: Incident[] = []) =>
    page({ open: [...open, ...more], totals: { connected: 0, disconnected, unknown: 1 }, connections: [connection()] })
  expect(pageOf(22)).not.toContain('in no open outage')
  expect(pageOf(23)).toContain('1 of them is in no open outage: 1 muted or offline')
  expect(
    pageOf(23, [
      incident({ id: 'g', kind: 'flapping', devices: { down: 1, others: 0, unseen: 0, peak: 1, total: null } }),
    ]),
  ).toContain('1 of them is in no open outage: 1 flapping, muted or')
  expect(pageOf(23)).toContain('; 1 device has no data.')
})

test('long-standing devices have a section of their own, without spares, and lines in the sheet', () => {
  const one = (name: string, over: Partial<LongStanding> = {}): LongStanding => ({
    key: `x/t1/${name}`,
    name,
    hardwareModel: 'X50',
    tenant: 'Acme',
    site: 'Berlin',
    room: null,
    lastDetected: now - 120 * minute,
    spare: false,
    ...over,
  })
  const longStanding = {
    total: 3,
    spares: 1,
    rows: [one('Studio 1'), one('Studio 2', { site: null, lastDetected: null }), one('Spare 3', { spare: true })],
  }
  const text = page({ longStanding })
  expect(text).toContain('## Long-standing (3)')
  expect(tablesOf(text)[0]?.slice(2)).toEqual([
    ['Studio 1', 'X50', 'Berlin', 'Acme', '05:00', '2 h'],
    ['Studio 2', 'X50', '', 'Acme', 'not known', ''],
  ])
  expect(text).toContain('1 spare is not listed.')
  expect(page()).not.toContain('Long-standing')
  expect(
    read(sheet({ longStanding })).map(({ state, title, places, since, id }) => [state, title, places, since, id]),
  ).toEqual([
    ['long-standing', 'Studio 1', 'Berlin / Acme', '2026-11-22T04:00:00Z', 'x/t1/Studio 1'],
    ['long-standing', 'Studio 2', 'Acme', '', 'x/t1/Studio 2'],
    ['spare', 'Spare 3', 'Berlin / Acme', '2026-11-22T04:00:00Z', 'x/t1/Spare 3'],
  ])
})

test('long-standing devices have their account where a tenant has several', () => {
  const one = (name: string, over: Partial<LongStanding> = {}): LongStanding => ({
    key: `x/t1/${name}`,
    name,
    hardwareModel: 'X50',
    tenant: 'Acme',
    site: 'Berlin',
    room: null,
    lastDetected: null,
    spare: false,
    ...over,
  })
  const of = (...rows: LongStanding[]) => {
    const longStanding = { total: rows.length, spares: 0, rows }
    const [head, , ...lines] = tablesOf(page({ longStanding }))[0] ?? []
    return {
      page: [head, ...lines].map((line) => line?.slice(2, -2)),
      sheet: read(sheet({ longStanding })).map(({ places }) => places),
    }
  }
  expect(of(one('Studio 1', { account: 'Retail North' }), one('Studio 2'))).toEqual({
    page: [
      ['Site', 'Account', 'Tenant'],
      ['Berlin', 'Retail North', 'Acme'],
      ['Berlin', '', 'Acme'],
    ],
    sheet: ['Berlin / Retail North / Acme', 'Berlin / Acme'],
  })
  expect(of(one('Studio 2')).page).toEqual([
    ['Site', 'Tenant'],
    ['Berlin', 'Acme'],
  ])
})
