import { textMessage, titleOf } from '../../../support/messages.ts'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../src-main/platform/tray/entry.ts'
import { menuOf } from '../../../../src-main/platform/tray/menu.ts'
import { trayStatusOf, tooltipOf } from '../../../../src-main/platform/tray/status.ts'
import { snoozedUntil } from '../../../../src-main/platform/tray/snooze.ts'
import type { FleetStatus } from '../../../../src-main/platform/tray/status.ts'
import { connection, gauge, incident, now, places, fleetStatus, summary } from './status.ts'

const minute = 60_000
/** The menu as a person reads it; lines below others are set in. */
function read(entries: readonly Entry[], depth = 0): string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'separator') return [`${'  '.repeat(depth)}--`]
    return [`${'  '.repeat(depth)}${entry.label}`, ...(entry.kind === 'submenu' ? read(entry.entries, depth + 1) : [])]
  })
}
const menu = (submenu: Partial<FleetStatus> = {}) => menuOf(fleetStatus(submenu), now)
const all = (entries: readonly Entry[]): Entry[] =>
  entries.flatMap((entry) => [entry, ...(entry.kind === 'submenu' ? all(entry.entries) : [])])
const action = (entries: readonly Entry[], id: string) =>
  all(entries).flatMap((entry) => (entry.kind === 'item' && entry.id === id ? [entry.action] : []))[0]
const label = (entries: readonly Entry[], id: string) =>
  all(entries).flatMap((entry) => (entry.id === id && entry.kind !== 'separator' ? [entry.label] : []))[0]

describe("the tray's image and its tooltip", () => {
  it('are idle, or an alert as long as an incident is open', () => {
    expect([trayStatusOf(fleetStatus()), tooltipOf(fleetStatus())]).toEqual([
      'idle',
      'Muster: 12 offline, 2,980 online, 8 unknown',
    ])
    const incidents = summary([incident('a'), incident('b', { severity: 'minor' })], { acknowledged: 3, suppressed: 2 })
    expect([trayStatusOf(fleetStatus({ incidents })), tooltipOf(fleetStatus({ incidents }))]).toEqual([
      'alert',
      'Muster: 1 critical, 1 minor; 12 offline, 2,980 online, 8 unknown',
    ])
    expect(trayStatusOf(fleetStatus({ incidents: summary([], { acknowledged: 3, suppressed: 2 }) }))).toBe('idle')
  })

  it('is grey when every active connection is lost, also with an open incident', () => {
    const lost = fleetStatus({
      connections: [connection('waiting'), connection('connecting'), connection('live', { paused: true })],
      incidents: summary([incident('a')]),
    })
    expect([trayStatusOf(lost), tooltipOf(lost)]).toEqual([
      'lost',
      'Monitoring lost: 12 offline, 2,980 online, 8 unknown',
    ])
    expect(trayStatusOf(fleetStatus({ connections: [connection('waiting'), connection('polling')] }))).toBe('idle')
    expect(trayStatusOf(fleetStatus({ connections: [connection('off', { paused: true })] }))).toBe('idle')
    expect(trayStatusOf(fleetStatus({ connections: [] }))).toBe('idle')
  })
})

describe('the tray’s menu', () => {
  it('says that all is well, and leads to the window and to quitting', () => {
    expect(read(menu({ gauges: [gauge()] }))).toEqual([
      'Open Muster',
      '--',
      '12 offline, 2,980 online, 8 unknown',
      'No open incidents',
      '--',
      '1 of 1 connection live',
      'Points: 84,200 of 100,000 left, reset at 03:00:23 UTC',
      '--',
      'Pause notifications for an hour',
      '--',
      'Quit Muster',
    ])
    expect([action(menu(), 'open'), action(menu(), 'pause'), action(menu(), 'quit')]).toEqual([
      { do: 'raise' },
      { do: 'pause', minutes: 60 },
      { do: 'quit' },
    ])
  })

  it('shows the worst incidents by site, each with its actions', () => {
    const one = incident('a')
    const room = incident('b', {
      severity: 'major',
      message: textMessage('Rally Bar 7 is offline'),
      shape: 'device',
      places: [places.room, places.site, places.tenant],
      open: { scope: 'r:1', filter: '', device: 'k' },
      devices: { down: 1, others: 0, unseen: 0, peak: 1, total: null },
      since: null,
    })
    const tenant = incident('c', {
      severity: 'minor',
      message: textMessage('4 devices flapping'),
      kind: 'flapping',
      places: [{ id: 't:zeta', kind: 'tenant', name: 'Zeta' }],
      devices: { down: 0, others: 0, unseen: 4, peak: 4, total: 40 },
    })
    const several = incident('d', {
      severity: 'minor',
      shape: 'several',
      message: textMessage('3 devices offline'),
      places: [],
      devices: { down: 3, others: 0, unseen: 1, peak: 3, total: null },
    })
    const worst = [one, tenant, room, several]
    const entries = menu({
      incidents: summary(worst, { acknowledged: 4, suppressed: 1, open: { critical: 1, major: 1, minor: 9 } }),
    })
    const lines = read(entries)
    expect(lines.slice(2, 4)).toEqual([
      '12 offline, 2,980 online, 8 unknown',
      '11 open incidents: 1 critical, 1 major, 9 minor; 4 acknowledged, 1 suppressed',
    ])
    expect(lines.filter((separator) => !separator.startsWith('  ')).slice(4, 17)).toEqual([
      '--',
      'Berlin, Acme',
      'Critical: 12 devices offline in Berlin, 12 of 15, since 02:10 UTC',
      'Major: Rally Bar 7 is offline, found 02:10 UTC',
      '--',
      'Zeta',
      'Minor: 4 devices flapping, no data, since 02:10 UTC',
      '--',
      'Several tenants',
      'Minor: 3 devices offline, since 02:10 UTC',
      '--',
      '7 more in Muster',
      '--',
    ])
    expect(read(all(entries).filter(({ id }) => id === 'incident a')).slice(1)).toEqual([
      '  Open',
      '  Acknowledge…',
      '  --',
      '  Snooze for 15 minutes',
      '  Snooze for an hour',
      '  Snooze until 08:00 UTC',
      '  Snooze until it recovers',
      '  --',
      '  Why this alert',
    ])
    expect(action(entries, 'open b')).toEqual({ do: 'open', what: { ...room.open, incident: 'b' } })
    expect([action(entries, 'acknowledge a'), action(entries, 'why a')]).toEqual([
      { do: 'open', what: { ...one.open, seek: 'acknowledge' } },
      { do: 'open', what: { ...one.open, seek: 'why' } },
    ])
    expect(action(entries, 'hour c')).toEqual({ do: 'snooze', incident: 'c', title: titleOf(tenant), duration: 'hour' })
    expect(new Set(all(entries).map(({ id }) => id)).size).toBe(all(entries).length)
  })

  it("shows the times of a title in the operator's zone, and another day with its day", () => {
    const at = Date.parse('2026-11-20T23:05:00Z')
    const one = incident('a', {
      message: { kind: 'text', title: ['Muster lost it ', at], body: [] },
      since: at,
    })
    expect(label(menu({ incidents: summary([one]) }), 'incident a')).toBe(
      'Critical: Muster lost it 20 Nov 23:05 UTC, 12 of 15, since 20 Nov 23:05 UTC',
    )
    expect(label(menu({ utc: false, incidents: summary([one]) }), 'morning a')).toBe('Snooze until 08:00')
  })

  it('lets no name of the service break a line', () => {
    const site = { id: 's:x', kind: 'site', name: `Ber\nlin \u202E${'x'.repeat(60)}` } as const
    expect(label(menu({ incidents: summary([incident('a', { places: [site] })]) }), 'site s:x')).toBe(
      `Ber lin ${'x'.repeat(31)}…`,
    )
    const name = label(menu({ connections: [connection('waiting', { id: 'w', name: '  ' })] }), 'link w')
    expect(name).toBe('(no name): not connected, retrying')
  })

  it('names the tenants whose monitoring is lost', () => {
    expect(read(menu({ incidents: summary([], { monitoringLost: 2 }) })).slice(2, 5)).toEqual([
      '12 offline, 2,980 online, 8 unknown',
      'Monitoring lost for 2 tenants',
      'No open incidents',
    ])
    const lost = read(menu({ connections: [connection('waiting')], incidents: summary([], { monitoringLost: 1 }) }))
    expect(lost.slice(2, 4)).toEqual(['Monitoring lost: 12 offline, 2,980 online, 8 unknown', 'No open incidents'])
  })

  it('names the connections that are not live, and why', () => {
    const refused = { where: 'token', at: now, fault: { kind: 'credentials' as const, detail: '' } }
    const connections = [
      connection('live', { id: 'a' }),
      connection('waiting', { id: 'b', name: 'Beta', faults: [refused] }),
      connection('polling', { id: 'c', name: 'Gamma', faults: [refused] }),
      connection('off', { id: 'd', name: 'Delta', secret: 'missing' }),
      connection('connecting', { id: 'e', name: 'Eps' }),
      connection('off', { id: 'f', paused: true }),
      connection('off', { id: 'g', name: 'Eta' }),
    ]
    expect(read(all(menu({ connections })).filter(({ id }) => id === 'link'))).toEqual([
      '1 of 6 connections live, 1 paused',
      '  Beta: not connected, retrying. The service rejected this client id and secret.',
      '  Gamma: no live stream, polling',
      '  Delta: waiting for its secret',
      '  Eps: connecting',
      '  Eta: off',
    ])
    const many = Array.from({ length: 40 }, (_, each) =>
      connection(each < 2 ? 'live' : 'waiting', { id: String(each), name: `C${each}` }),
    )
    const lines = read(all(menu({ connections: many })).filter(({ id }) => id === 'link'))
    expect([lines[0], lines.length, lines.at(-1)]).toEqual(['2 of 40 connections live', 14, '  26 more in Muster'])
    expect(label(menu({ connections: [connection('off', { paused: true })] }), 'link')).toBe('1 connection paused')
    expect(label(menu({ connections: [] }), 'link')).toBeUndefined()
  })

  it('shows the lowest balance, and whether it is an estimate or over', () => {
    const others = [
      gauge(),
      gauge({ name: 'Zeta & Sons', remaining: 300, limit: 1_000, known: false, resetAt: now - 7_000 }),
      gauge({ name: 'new', remaining: 0, resetAt: null }),
    ]
    expect(label(menu({ gauges: others }), 'points')).toBe(
      'Points of Zeta & Sons: 300 of 1,000 left, a guess, reset since, at 02:59:53 UTC',
    )
    expect(label(menu({ gauges: [gauge({ resetAt: null })] }), 'points')).toBeUndefined()
  })

  it('says until when notifications are paused, and offers to undo the last action', () => {
    const entries = menu({
      pausedUntil: now + 65 * minute,
      done: { id: 7, description: 'snoozed 12 devices offline in Berlin' },
    })
    expect([label(entries, 'resume'), action(entries, 'resume')]).toEqual([
      'Resume notifications (paused until 04:05 UTC)',
      { do: 'pause', minutes: 0 },
    ])
    expect([label(entries, 'undo'), action(entries, 'undo')]).toEqual([
      'Undo: snoozed 12 devices offline in Berlin',
      { do: 'undo', id: 7 },
    ])
  })
})

describe('a snooze', () => {
  it('lasts from when it was chosen, until the next morning, or until it recovers', () => {
    expect([
      snoozedUntil('15-minutes', now, true),
      snoozedUntil('hour', now, true),
      snoozedUntil('recovery', now, true),
    ]).toEqual([now + 15 * minute, now + 60 * minute, null])
    const at = (text: string) => Date.parse(text)
    expect(snoozedUntil('morning', now, true)).toBe(at('2026-11-21T08:00:00Z'))
    expect(snoozedUntil('morning', at('2026-11-21T08:00:00Z'), true)).toBe(at('2026-11-22T08:00:00Z'))
    const local = new Date(snoozedUntil('morning', new Date(2026, 9, 24, 22).getTime(), false) ?? 0)
    expect([local.getDate(), local.getHours(), local.getMinutes()]).toEqual([25, 8, 0])
  })
})
