import { roomFactsText } from '../../../src-renderer/lib/format/room-facts.ts'
import { describe, expect, test } from 'vitest'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { sinceText, statusSentence, titleText, transitionTime } from '../../../src-renderer/lib/format/device.ts'
import { lastSync } from '../../../src-renderer/lib/format/connection-status.ts'
import { unknownCounts, many } from '../../../src-renderer/lib/format/numbers.ts'
import {
  age,
  clockSpan,
  clockTime,
  countdown,
  fullTime,
  oldness,
  span,
  zone,
} from '../../../src-renderer/lib/format/time.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import {
  shownBanners,
  allMonitoringLostText,
  monitoringLostText,
  coreLostText,
  areAllUnreachable,
  pausedFault,
  refreshText,
  faultLines,
  faultsText,
} from '../../../src-renderer/lib/format/faults.ts'
import { minute, hour, day, now, row, connection } from '../support/samples.ts'

describe('times', () => {
  test.each([
    [-5, '0 s'],
    [12_999, '12 s'],
    [4 * minute, '4 min'],
    [134 * minute, '2 h 14 min'],
    [2 * hour, '2 h'],
    [3 * day + 4 * hour, '3 d 4 h'],
    [405 * day, '1 y 40 d'],
  ])('%i ms are "%s"', (ms, words) => expect(span(ms)).toBe(words))

  test('an age is never in the future, and a countdown never says 0 too soon', () => {
    expect([age(now + 900, now), age(now - 4999, now), age(now - 5000, now)]).toEqual([
      'just now',
      'just now',
      '5 s ago',
    ])
    expect([countdown(now + 1, now), countdown(now + 41_000, now), countdown(now, now)]).toEqual(['1 s', '41 s', 'now'])
  })

  test('age has levels', () => {
    expect([0, 10 * minute, hour, day].map((old) => oldness(now - old, now))).toEqual([0, 1, 2, 3])
  })

  test("the date is shown only where it is not today's, and once for both ends of a span", () => {
    const morning = new Date(2026, 2, 4, 2, 10, 33).getTime()
    expect(clockTime(morning, now, 'local')).toBe('02:10:33')
    expect(clockTime(morning - day, now, 'local')).toBe('2026-03-03 02:10:33')
    expect(clockSpan(morning, morning + 270 * minute, now, 'local')).toBe('between 02:10:33 and 06:40:33')
    expect(clockSpan(morning - day, morning - day + hour, now, 'local')).toBe(
      'between 2026-03-03 02:10:33 and 03:10:33',
    )
    expect(clockSpan(morning - day, morning, now, 'local')).toBe('between 2026-03-03 02:10:33 and 02:10:33')
  })
})

test('times are in the chosen zone, and the tooltip names both', () => {
  const at = Date.UTC(2026, 2, 4, 1, 10, 33)
  const same = Date.UTC(2026, 2, 4, 23, 0, 0)
  expect(clockTime(at, same, 'utc')).toBe('01:10:33')
  expect(clockTime(at - day, same, 'utc')).toBe('2026-03-03 01:10:33')
  expect(clockSpan(at, at + hour, same, 'utc')).toBe('between 01:10:33 and 02:10:33')
  expect(fullTime(at, 'utc')).toMatch(/^2026-03-04 01:10:33 UTC · 2026-03-0\d \d\d:10:33 \(/u)
  expect(fullTime(at, 'local')).toMatch(/\) · 2026-03-04 01:10:33 UTC$/u)
  expect(zone(at, 'utc')).toBe('UTC')
})

describe('devices', () => {
  test('a seen change says when, an unseen one says "at least"', () => {
    expect(statusSentence(row, false, now, 'local')).toBe('Offline for 2 h 14 min, seen live at 09:46:00.')
    expect(statusSentence({ ...row, since: { at: now - hour, kind: 'at-least' } }, false, now, 'local')).toBe(
      'Offline for at least 1 h.',
    )
    expect(statusSentence({ ...row, status: 'connected', since: null }, false, now, 'local')).toBe('Online.')
    expect([
      sinceText(row.since, now),
      sinceText({ at: now - hour, kind: 'at-least' }, now),
      sinceText(null, now),
    ]).toEqual(['2 h 14 min', '≥ 1 h', ''])
  })

  test('an unknown device has its last state, whether the core or the window lost monitoring', () => {
    const words = 'Unknown: monitoring lost. Last known: offline, 5 min ago.'
    expect(statusSentence({ ...row, status: 'unknown' }, false, now, 'local')).toBe(words)
    expect(statusSentence(row, true, now, 'local')).toBe(words)
    expect(statusSentence({ ...row, status: 'unknown', connected: null }, false, now, 'local')).toBe(
      'Unknown: the service does not report whether it is connected.',
    )
  })

  test('a missed transition has a span', () => {
    const at = new Date(2026, 2, 4, 6, 40).getTime()
    expect(transitionTime({ at, notBefore: at - 270 * minute, connected: false }, now, 'local')).toBe(
      'between 02:10:00 and 06:40:00',
    )
    expect(transitionTime({ at, notBefore: null, connected: false }, now, 'local')).toBe('at 06:40:00')
  })

  test('totals and title', () => {
    const counts = { connected: 4950, disconnected: 43, unknown: 7 }
    expect(many(5000, 'device')).toBe('5,000 devices')
    expect(many(1, 'device')).toBe('1 device')
    expect(unknownCounts(counts)).toEqual({ connected: 0, disconnected: 0, unknown: 5000 })
    expect([
      titleText(counts, false),
      titleText(counts, true),
      titleText(unknownCounts(counts), false),
      titleText(null, false),
    ]).toEqual(['43 offline · Muster', 'All unknown · Muster', 'All unknown · Muster', 'Muster'])
  })
})

describe('errors', () => {
  const rejected: ConnectionState = {
    ...connection,
    link: { state: 'off' },
    faults: [{ where: 'token', fault: { kind: 'credentials', detail: 'HTTP 401' }, at: now }],
  }

  test('several failed connections are named, and working ones are called unaffected', () => {
    const words = (connections: readonly ConnectionState[]) => faultsText(faultLines(connections, []), connections)
    const six = Array.from({ length: 6 }, (_, index) => ({ ...rejected, id: String(index), name: String(index) }))
    expect(words(six)).toMatchObject({
      lead: '6 of 6 connections with errors:',
      more: ' and 3 more',
      why: 'The service rejected this client id and secret.',
      rest: '',
    })
    const other: ConnectionState = {
      ...rejected,
      id: 'o',
      faults: [{ where: '', fault: { kind: 'connect', detail: '' }, at: now }],
    }
    expect(words([...six, other]).why).toBe('')
    expect(words([...six, connection])).toMatchObject({
      lead: '6 of 7 connections with errors:',
      rest: 'The one that works is not affected.',
    })
    expect(words([...six, connection, connection, { ...connection, paused: true }]).rest).toBe(
      'The 2 that work are not affected.',
    )
  })

  test('several say since when no device was updated, unless one of them works', () => {
    const [one, other] = [
      { ...rejected, heardAt: now - 12 * minute },
      { ...rejected, heardAt: now - hour },
    ]
    expect(allMonitoringLostText([one, other], now, 'local')).toBe(
      'None of them has answered since 11:48:00, 12 min ago; their devices are unknown, not offline.',
    )
    expect(allMonitoringLostText([rejected, rejected], now, 'local')).toBe('None of them has answered yet.')
    expect([
      allMonitoringLostText([one, connection], now, 'local'),
      allMonitoringLostText([one, rejected], now, 'local'),
      allMonitoringLostText([one, { ...connection, heardAt: now }], now, 'local'),
    ]).toEqual(['', '', ''])
  })

  test('paused connections are named or counted, and their last sync still counts', () => {
    const paused: ConnectionState = { ...connection, paused: true }
    expect(pausedFault([connection])).toBeNull()
    expect(pausedFault([paused])).toMatchObject({ lead: 'Berlin is paused.', one: paused })
    expect(pausedFault([paused, connection, paused])).toMatchObject({
      lead: '2 of 3 connections are paused.',
      one: null,
    })
    expect(pausedFault([paused, paused])?.lead).toBe('All 2 connections are paused.')
    expect(lastSync([paused])).toEqual({ at: now - hour, unread: 0 })
  })

  test('an impossible refresh says why, or when it will be done', () => {
    const down: ConnectionState = {
      ...connection,
      link: { state: 'waiting', attempt: 1, retryAt: now },
      faults: [{ where: '', fault: { kind: 'connect', detail: '' }, at: now }],
    }
    const paused: ConnectionState = { ...connection, paused: true }
    expect([refreshText([connection], false), refreshText([connection, down], false), refreshText([], false)]).toEqual([
      '',
      '',
      '',
    ])
    expect(refreshText([connection], true)).toBe('Not refreshed: Muster’s core is not running.')
    expect(refreshText([down], false)).toBe('The service does not answer now. Muster syncs when it does.')
    expect(refreshText([down, down, paused], false)).toBe('No service answers now. Muster syncs when they do.')
    expect(refreshText([paused], false)).toBe('Not refreshed: the connection is paused.')
    expect(refreshText([{ ...rejected, secret: 'missing' }], false)).toBe(
      'Not refreshed yet. Muster syncs when the connection works again.',
    )
  })

  test('no service answers while each has errors or is paused', () => {
    const down: ConnectionState = { ...rejected, link: { state: 'waiting', attempt: 1, retryAt: now } }
    expect([
      areAllUnreachable([down, { ...connection, paused: true }]),
      areAllUnreachable([down, connection]),
      areAllUnreachable([{ ...connection, link: { state: 'connecting', attempt: 0 } }]),
    ]).toEqual([true, false, false])
  })

  test('a fault is shown with advice, and devices as unknown, not offline', () => {
    const [faults] = faultLines([connection, rejected], [])
    expect(faults).toMatchObject({ who: 'Berlin', title: 'The service rejected this client id and secret.' })
    expect(faults?.connection).toBe(rejected)
    expect(faults?.act).toBe('edit')
  })

  test('a rejection names the role that the service has told since', () => {
    const fault = { kind: 'forbidden', detail: '' } as const
    const forbidden = { ...rejected, faults: [{ where: '', fault, at: now }] }
    const adviceAt = (readAt: number) =>
      faultLines([{ ...forbidden, access: { name: '', roles: ['user'], scope: {}, readAt } }], [])[0]?.advice
    const { advice } = explain(fault)
    expect([adviceAt(now), adviceAt(now - 1)]).toEqual([`The role Guest (user) does not allow it. ${advice}`, advice])
  })

  test('an error with one fix has that button, and is shown once beside a banner about it', () => {
    const fault = { kind: 'keychain-locked', detail: 'Secret Service' } as const
    const locked: ConnectionState = { ...rejected, secret: 'missing', faults: [{ where: '', fault, at: now }] }
    expect(faultLines([locked], [])).toMatchObject([
      { title: explain(fault).title, advice: explain(fault).advice, remedy: 'unlock' },
    ])
    const banner = { id: 'keychain-locked', level: 'warning', fault, at: now } as const
    expect(faultLines([locked], [banner])).toMatchObject([
      { who: locked.name, title: 'It waits for the keychain.', advice: '', detail: '', remedy: null, act: null },
    ])
    const proxy = {
      id: 'proxy a:1',
      level: 'warning',
      fault: { kind: 'proxy-locked', detail: 'a:1' },
      at: now,
    } as const
    expect([shownBanners([banner, proxy]), shownBanners([proxy])]).toEqual([[banner], [proxy]])
    const waits: ConnectionState = { ...locked, faults: [{ where: '', fault: proxy.fault, at: now }] }
    expect([faultLines([waits], [banner]), faultLines([waits], [])]).toMatchObject([
      [{ title: 'It waits for the keychain.' }],
      [{ title: explain(proxy.fault).title, remedy: 'unlock' }],
    ])
    expect(faultLines([rejected], [banner])).toMatchObject([
      { title: 'The service rejected this client id and secret.', act: 'edit', remedy: null },
    ])
  })

  test('a lost connection says since when its devices are unknown, not offline', () => {
    const heardAt = now - 12 * minute
    expect(monitoringLostText({ ...rejected, heardAt }, now, 'local')).toBe(
      'Last response at 11:48:00, 12 min ago. Since then its devices are unknown, not offline.',
    )
    expect(monitoringLostText(rejected, now, 'local')).toContain('unknown, not offline')
    expect([
      monitoringLostText({ ...rejected, lastReadingAt: null }, now, 'local'),
      monitoringLostText({ ...connection, heardAt }, now, 'local'),
    ]).toEqual(['', ''])
  })

  test('passing faults and paused connections are no errors, and the demo offers a retry alone', () => {
    expect(
      faultLines([{ ...connection, faults: [{ where: '', fault: { kind: 'exhausted', detail: '' }, at: now }] }], []),
    ).toEqual([])
    expect(faultLines([{ ...rejected, paused: true }], [])).toEqual([])
    expect(faultLines([{ ...rejected, demo: true }], [])[0]?.act).toBe('retry')
  })

  test('a lost core is shown with the age of the last message of any service', () => {
    const lost = { state: 'lost', at: now } as const
    expect(
      coreLostText(
        lost,
        [
          { ...connection, heardAt: now - 2 * minute },
          { ...connection, heardAt: now - hour },
        ],
        now,
      ),
    ).toBe('Muster’s core is not running. The last response of a service came 2 min ago.')
    expect(coreLostText({ state: 'lost', at: now - minute }, [connection], now)).toBe(
      'Muster’s core has not been running for 1 min.',
    )
    expect(coreLostText({ state: 'reached' }, [connection], now)).toBeNull()
  })
})

test('what is told of a room is written without what is not', () => {
  expect(roomFactsText({ capacity: 12, size: 'LARGE', floor: '3' })).toBe('Capacity 12 · Size LARGE · Floor 3')
  expect(roomFactsText({ capacity: 0, size: '', floor: null })).toBe('Capacity 0')
})
