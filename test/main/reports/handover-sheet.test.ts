import { textMessage } from '../../support/messages.ts'
import { handoverOf } from '../../../src-main/reports/handover.ts'
import { incidentItems } from '../../../src-main/reports/incident-items.ts'
import { stampsIn } from '../../../src-main/reports/stamps.ts'
import { handover, incident, member, now } from '../reports/text-cases.ts'
import Papa from 'papaparse'
import { expect, test } from 'vitest'

const minute = 60_000

const sheet = (over: Parameters<typeof handover>[0] = {}) => handoverOf(handover(over), 'csv').text
const read = (text: string) =>
  Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/u, ''), { header: true, skipEmptyLines: true }).data

test('a cell of the sheet names devices up to its limit and counts the others', () => {
  const many = Array.from({ length: 500 }, (_, n) =>
    member({ key: `k${n}`, name: `Studio ${String(n).padStart(68, '0')}` }),
  )
  const [line] = read(
    sheet({ open: [incident()], members: new Map([['i1', many]]), memberCounts: new Map([['i1', 640]]) }),
  )
  const names = line?.['devices']?.split('; ') ?? []
  expect([line?.['deviceCount'], names.at(-1)]).toEqual(['640', `and ${640 - (names.length - 1)} more`])
  expect([names.length > 380, (line?.['devices']?.length ?? 0) < 32_000]).toEqual([true, true])
  const [few] = read(
    sheet({ open: [incident()], members: new Map([['i1', many.slice(0, 37)]]), memberCounts: new Map([['i1', 37]]) }),
  )
  expect([few?.['deviceCount'], few?.['devices']?.split('; ').length]).toEqual(['37', 37])
})

test('the sheet has open incidents first, the worst before all', () => {
  const lines = read(
    sheet({
      open: [incident({ id: 'a', severity: 'minor' }), incident({ id: 'b', severity: 'critical' })],
      closed: [incident({ id: 'c', closedAt: now })],
    }),
  )
  expect(lines.map(({ id, state }) => `${id} ${state}`)).toEqual(['b open', 'a open', 'c closed'])
})

test('a line of the sheet is in UTC, with numbers as numbers and no formula', () => {
  const one = incident({
    message: textMessage('=HYPERLINK("x")'),
    closedAt: now,
    acknowledged: { at: now - minute, reason: '+1\n"quoted"' },
  })
  const [line] = read(
    sheet({ closed: [one], members: new Map([['i1', [member({ name: '@a' }), member({ name: 'b; c' })]]]) }),
  )
  expect(line).toEqual({
    id: 'i1',
    state: 'closed',
    severity: 'major',
    kind: 'outage',
    title: '\'=HYPERLINK("x")',
    places: 'Berlin',
    since: '2026-11-22T04:30:00Z',
    openedAt: '2026-11-22T04:32:00Z',
    closedAt: '2026-11-22T06:00:00Z',
    closedNotBefore: '',
    seconds: '5400',
    down: '3',
    unseen: '0',
    peak: '3',
    total: '4',
    watched: '0',
    deviceCount: '2',
    devices: "'@a; b; c",
    acknowledgedAt: '2026-11-22T05:59:00Z',
    acknowledgedWhy: '\'+1 "quoted"',
    snoozedAt: '',
    snoozedUntil: '',
    silent: '',
    toldAt: '',
    often30Days: '1',
    noLongerListed: '0',
    notes: '',
    assignedTo: '',
    assignedAt: '',
  })
})

test('the sheet counts the devices no longer listed', () => {
  const longStanding = {
    key: 'k',
    name: 'Studio 1',
    hardwareModel: 'X',
    tenant: 'Acme',
    site: null,
    room: null,
    lastDetected: null,
    spare: false,
  }
  const text = sheet({
    open: [incident({ id: 'a', unlisted: 2 }), incident({ id: 'b', assigned: { at: now, to: 'Ann', by: 'Ben' } })],
    longStanding: { rows: [longStanding], total: 1, spares: 0 },
  })
  expect(text.split('\r\n')[0]).toMatch(
    /^\uFEFFstate,severity,title,.*,id,noLongerListed,notes,assignedTo,assignedAt$/u,
  )
  expect(read(text).map(({ noLongerListed }) => noLongerListed)).toEqual(['2', '0', ''])
  expect(read(text).map(({ assignedTo }) => assignedTo)).toEqual(['', 'Ann', ''])
})

test('the page and the report name who takes care of an incident', () => {
  const one = incident({ assigned: { at: now - minute, to: 'Ann *', by: 'Ben' } })
  expect(handoverOf(handover({ open: [one] }), 'md').text).toMatch(
    /Next: Ann \\\* takes care of it since 06:59; not acknowledged; ask there/u,
  )
  const items = (over: Parameters<typeof incident>[0]) =>
    incidentItems(incident(over), now, stampsIn('Europe/Berlin')).join('\n')
  expect(items(one)).toMatch(/Assigned to Ann \\\* by Ben .*06:59/u)
  expect(items({ assigned: { at: now, to: 'Ann', by: 'Ann' } })).toMatch(/Taken by Ann .*07:00/u)
})
