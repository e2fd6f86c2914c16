import { expect, test } from 'vitest'
import {
  dayCsv,
  disconnectsCsv,
  hoursCsv,
  hoursOfPointsCsv,
  incidentsCsv,
  mapCsv,
  placeDisconnectsCsv,
  worstSitesCsv,
} from '../../../src-renderer/overview/export/chart-csv.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'

const quarter = 900_000

test('the last 24 hours have a row for each tenant and part, empty where there is no data', () => {
  const tenants = [{ id: 't:a', devices: 3, up: [2, 0], down: [1, 0] }]
  expect(dayCsv({ from: 0, until: 2 * quarter, tenants }, () => 'Acme, Inc.').split('\r\n')).toEqual([
    'from,tenant,online,offline',
    '1970-01-01T00:00:00.000Z,"Acme, Inc.",2,1',
    '1970-01-01T00:15:00.000Z,"Acme, Inc.",,',
    '',
  ])
})

test('the map has its tiles with devices, and a name is no formula', () => {
  const places = {
    kind: 'site' as const,
    groups: [
      { id: 'r', kind: 'region' as const, name: 'EU-1', parent: null },
      { id: 't', kind: 'tenant' as const, name: 'Acme', parent: 0 },
    ],
    tiles: [
      { id: 's1', name: '=HQ', group: 1 },
      { id: 's2', name: 'empty', group: 1 },
    ],
    leftOut: 0,
  }
  const map = { layout: 'x', places, counts: [1, 2, 3, 0, 0, 0], devices: [6, 0], watched: [] }
  expect(mapCsv(map).split('\r\n')).toEqual([
    'site,in,offline,unknown,online',
    expect.stringMatching(/^'=HQ,.*Acme.*,1,2,3$/u),
    '',
  ])
})

test('the rankings have the ids of devices and the hours of sites', () => {
  const month = {
    from: 0,
    until: 1,
    lastWeek: { from: 0, until: 1, up: [], down: [] },
    disconnects: [{ key: 'svc/t/a%2Fb', name: 'Bar', tenant: 'Acme', site: null, count: 3 }],
    sites: [{ id: 's:1', name: 'Berlin', tenant: 'Acme', up: 7_200_000, down: 5_400_000 }],
  }
  expect(disconnectsCsv(month)).toBe('id,name,tenant,site,disconnects\r\na/b,Bar,Acme,,3\r\n')
  expect(worstSitesCsv(month)).toBe('site,tenant,offlineHours,onlineHours\r\nBerlin,Acme,1.5,2\r\n')
})

test('incidents have their times, and none where nobody saw the beginning', () => {
  const incident = {
    severity: 'major',
    since: null,
    openedAt: 1000,
    devices: { down: 2, peak: 5 },
    places: [{ name: 'Berlin' }, { name: 'Acme' }],
  } as unknown as Incident
  expect(incidentsCsv([incident], () => 'Berlin is down').split('\r\n')[1]).toBe(
    'major,Berlin is down,Berlin · Acme,,1970-01-01T00:00:01.000Z,2,5',
  )
})

test('the hours of a place are shares, and one without data has none', () => {
  const lines = [{ id: 's:1', name: 'Wien', devices: 4, up: [0.75, 0], down: [0.25, 0] }]
  expect(hoursCsv({ from: 0, lines, leftOut: 0 }, 'site').split('\r\n')).toEqual([
    'from,site,devices,onlineShare,offlineShare',
    '1970-01-01T00:00:00.000Z,Wien,4,0.75,0.25',
    '1970-01-01T01:00:00.000Z,Wien,4,,',
    '',
  ])
})

test('the devices of a place with the most disconnects have their offline time in seconds', () => {
  const device = { key: 'svc/t/a', name: 'Bar', site: 'Wien', room: null, hardwareModel: 'X50', last: 1000 }
  const history = { devices: [{ ...device, disconnects: 3, down: 61_400 }] } as Parameters<
    typeof placeDisconnectsCsv
  >[0]
  expect(placeDisconnectsCsv(history)).toBe(
    'id,name,site,room,model,disconnects,offlineSeconds,last\r\na,Bar,Wien,,X50,3,61,1970-01-01T00:00:01.000Z\r\n',
  )
})

test('the points of an hour have a row for each set and minute', () => {
  const burned = { person: 1, reconcile: 2, visible: 3, background: 4 }
  const minutes = [{ at: 60_000, burned, others: 5, rejected: 6, lowest: null }]
  const set = { name: 'EU', connections: ['a'], limit: 100_000, from: 0, until: 60_000, minutes, activities: [] }
  expect(hoursOfPointsCsv([set]).split('\r\n')).toEqual([
    'from,connection,yourActions,reconciliation,onScreen,background,otherClients,rejected,lowestBalance,limit',
    '1970-01-01T00:01:00.000Z,EU,1,2,3,4,5,6,,100000',
    '',
  ])
})
