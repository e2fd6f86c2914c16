import type { Message } from '../../../src-shared/model/messages.ts'
import { textMessage } from '../../support/messages.ts'
import { assert, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../../src-main/reports/evidence.ts'
import { queriesFor } from '../../../src-main/api/operations.ts'
import { connection, evidence, incident, member, now, strange, tablesOf } from './text-cases.ts'

const minute = 60_000
const rows = (text: string, table: number) => tablesOf(text)[table]?.slice(2) ?? []

test('each time is local, with zone and offset, and in UTC', () => {
  const text = evidenceOf(evidence())
  expect(text).toContain('# Evidence: 3 devices offline in Berlin\n')
  expect(text).toContain('- First of it down since 2026-11-22 05:30:00 +01:00 Europe/Berlin (2026-11-22T04:30:00Z)')
  expect(rows(text, 0)).toEqual([
    [
      'Studio 1',
      '`d1`',
      'Acme `t1`',
      'Berlin',
      '2026-11-22 05:30:00 +01:00 Europe/Berlin (2026-11-22T04:30:00Z)',
      'not yet',
    ],
  ])
  expect(text).toContain('- Live link: live since 2026-11-22 03:40:00 +01:00 Europe/Berlin (2026-11-22T02:40:00Z)')
  expect(text).toContain('- Last sync: never')
})

test('instants in the title and the body are written in full', () => {
  const message: Message = { kind: 'text', title: ['Monitoring lost for Acme since ', now], body: [] }
  const text = evidenceOf(
    evidence({
      incident: incident({ message }),
    }),
  )
  expect(text).toContain('since 2026-11-22 07:00:00 +01:00 Europe/Berlin (2026-11-22T06:00:00Z)\n')
})

test('a missed change is a span, also over a change of the clocks', () => {
  const notBefore = Date.parse('2026-10-25T00:30:00Z')
  const text = evidenceOf(evidence({ members: { rows: [member({ notBefore, at: notBefore + 3_600_000 })], total: 1 } }))
  expect(text).toContain(
    'between 2026-10-25 02:30:00 +02:00 Europe/Berlin (2026-10-25T00:30:00Z) and 2026-10-25 02:30:00 +01:00 Europe/Berlin (2026-10-25T01:30:00Z)',
  )
})

test('an unseen recovery is a span, and so is the end of the incident', () => {
  const over = { closedAt: now - 10 * minute, closedNotBefore: now - 30 * minute }
  const text = evidenceOf(
    evidence({
      incident: incident(over),
      members: { rows: [member({ recoveredAt: now - 20 * minute, recoveredNotBefore: now - 30 * minute })], total: 1 },
    }),
  )
  expect(rows(text, 0)[0]?.[5]).toBe(
    'between 2026-11-22 06:30:00 +01:00 Europe/Berlin (2026-11-22T05:30:00Z) and 2026-11-22 06:40:00 +01:00 Europe/Berlin (2026-11-22T05:40:00Z)',
  )
  expect(text).toContain(
    '- Nobody saw when it ended: between 2026-11-22 06:30:00 +01:00 Europe/Berlin (2026-11-22T05:30:00Z) and 2026-11-22 06:50:00 +01:00 Europe/Berlin (2026-11-22T05:50:00Z), 1 h 20 min at most after the first of it was down',
  )
  expect(evidenceOf(evidence({ incident: incident({ ...over, since: null }) }))).toMatch(
    /Nobody saw when it ended: between [^\n]*50:00Z\)\n/u,
  )
})

test('a device that is no longer listed is not counted as recovered', () => {
  const text = evidenceOf(
    evidence({
      incident: incident({ closedAt: now, unlisted: 1 }),
      members: { rows: [member({ recoveredAt: now, unlisted: true })], total: 1 },
    }),
  )
  expect(rows(text, 0)[0]?.[5]).toBe(
    'no longer listed since 2026-11-22 07:00:00 +01:00 Europe/Berlin (2026-11-22T06:00:00Z)',
  )
  expect(text).toContain('- No longer listed by the service: 1; whether they are back is not known')
})

test('missing data is reported part by part', () => {
  const text = evidenceOf(
    evidence({
      incident: incident({ since: null, message: textMessage('3 devices offline in Berlin') }),
      members: { rows: [], total: 0 },
      connections: [],
    }),
  )
  for (const expected of [
    'Nobody saw when it began',
    'Nothing more is known.',
    'No device of it',
    'Nothing is noted.',
    'No connection of Muster',
    'No query',
    'No line about these connections',
  ])
    expect(text).toContain(expected)
})

test('of ten thousand devices it shows some, and says so', () => {
  const all = Array.from({ length: 10_000 }, (_, index) => member({ key: `x/t1/d${index}`, name: `Studio ${index}` }))
  const text = evidenceOf(evidence({ members: { rows: all, total: all.length } }))
  expect(rows(text, 0)).toHaveLength(200)
  expect(text).toContain('Shown are 200 of 10,000 devices.')
})

test('the last lines of a long log stay, with ms', () => {
  const log = Array.from({ length: 500 }, (_, index) => ({
    at: now + index,
    level: 'info' as const,
    text: `Acme EU: live: line ${index}.\n\`\`\``,
  }))
  const text = evidenceOf(evidence({ log }))
  expect(text).toContain('2026-11-22 07:00:00.499 +01:00 (2026-11-22T06:00:00.499Z) info Acme EU: live: line 499. ```')
  expect(text).not.toContain('line 199.')
  expect(text).toContain('Shown are 300 of 500 lines, the latest.')
})

test('a connection is shown with its faults, and without secret parts of its URLs', () => {
  const faults = [{ where: 'live socket', fault: { kind: 'socket' as const, detail: 'closed with 1011' }, at: now }]
  const text = evidenceOf(
    evidence({
      connections: [
        connection({
          link: { state: 'waiting', attempt: 4, retryAt: now + 1000 },
          graphqlUrl: 'https://me:hunter2@api.test/graphql?key=hunter3',
          hasSubscription: true,
          faults,
        }),
      ],
    }),
  )
  expect(text).toContain('- Live link: broken: attempt 5 at 2026-11-22 07:00:01 +01:00')
  expect(text).toContain('live socket: The live connection was closed. closed with 1011')
  expect(text).toContain('`https://api.test/graphql?…`')
  expect(text).not.toMatch(/hunter/u)
  expect(text).toContain('a subscription document of its own')
})

test('the doubts about Muster itself are listed', () => {
  const checks = [
    { check: 'link' as const, state: 'ok' as const, since: null, detail: '' },
    { check: 'clock' as const, state: 'doubt' as const, since: now, detail: 'It is 3 min ahead.' },
  ]
  expect(evidenceOf(evidence({ connections: [connection({ checks })] }))).toContain(
    '- Muster may be wrong because of its own clock since 2026-11-22 07:00:00 +01:00 Europe/Berlin (2026-11-22T06:00:00Z): It is 3 min ahead.',
  )
  expect(evidenceOf(evidence({ connections: [connection({ checks: checks.slice(0, 1) })] }))).toContain(
    '- Monitoring healthy: checked live connection\n',
  )
})

test('a token that the service repeated is redacted', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln_bmF-0dXJl'
  const text = evidenceOf(
    evidence({
      members: { rows: [member({ name: `x ${token}` })], total: 1 },
      log: [{ at: now, level: 'warn', text: `refused: Bearer abcdef0123 client_secret=hunter22` }],
    }),
  )
  expect(text).not.toMatch(/eyJh|eyJz|abcdef0123|hunter22/u)
  expect(text).toContain('[token]')
})

test('the queries are listed with their variables, cut', () => {
  const ids = Array.from({ length: 293 }, (_, index) => `d${index}`)
  const text = evidenceOf(evidence({ queries: queriesFor([{ id: 't1' }, { id: 't2' }], ids) }))
  expect(text).toContain('deviceStream(deviceIds: $deviceIds)')
  expect(text).toContain('"tenant": "t1"')
  expect(text).toContain('Asked in the same way for the tenants t2.')
  expect(text).toContain('The first 20 of 293 ids.')
  expect(text).not.toContain('"d20"')
  expect(queriesFor([], [])).toEqual([])
})

describe('names of a service', () => {
  test.each(strange)('%j breaks no table, and is plain text', (name) => {
    const text = evidenceOf(
      evidence({
        incident: incident({
          message: textMessage(`${name} is offline`, name),
          places: [{ id: 's', kind: 'site', name }],
        }),
        members: {
          rows: [member({ name, key: `x/${encodeURIComponent(name)}/${encodeURIComponent(name)}` })],
          total: 1,
        },
        why: [
          { kind: 'in-maintenance', window: name },
          { kind: 'monitoring-doubt', first: { check: 'link', connection: name, detail: name }, more: [], count: 0 },
        ],
        history: [{ at: now, what: 'notified', detail: { kind: 'text', text: [name] } }],
        connections: [connection({ name })],
      }),
    )
    for (const table of tablesOf(text)) for (const row of table) expect(row).toHaveLength(table[0]?.length ?? 0)
    const outsideCode = text.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gu, '')
    expect(outsideCode).not.toMatch(/(?<!\\)[<>[\]]|:\/\/|@|#\d/u)
    expect(text.split('\n').filter((line) => /^#{1,6} /u.test(line))).toHaveLength(8)
  })

  test('no name brings a control character or a broken row', () => {
    const name = oneof(
      string({ unit: 'binary' }),
      string({ unit: constantFrom('|', '\\', '`', '\n', 'a', ' ', '<', '\u202E', '\u2066', '\u2069', '\u0000') }),
      constantFrom(...strange),
    )
    assert(
      property(name, name, (one, other) => {
        const text = evidenceOf(
          evidence({
            incident: incident({ message: textMessage(one, other) }),
            members: { rows: [member({ name: one, key: other }), member({ name: other, key: one })], total: 2 },
            history: [{ at: now, what: 'notified', detail: { kind: 'text', text: [other] } }],
            log: [{ at: now, level: 'info', text: one }],
            queries: [{ name: one, document: other, variables: { one }, remark: other }],
          }),
        )
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E]/u)
        expect(text.isWellFormed()).toBe(true)
        const [devices, history, ...others] = tablesOf(text)
        expect(devices?.map((row) => row.length)).toEqual([6, 6, 6, 6])
        expect(history?.map((row) => row.length)).toEqual([3, 3, 3])
        expect(others).toEqual([])
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})

test('the table of devices has accounts where a tenant has several', () => {
  const of = (...accounts: (string | undefined)[]) => {
    const members = accounts.map((account) => member(account === undefined ? {} : { account }))
    const [head, , ...lines] =
      tablesOf(evidenceOf(evidence({ members: { rows: members, total: members.length } })))[0] ?? []
    return [head?.slice(2, 5), ...lines.map((line) => line.slice(2, 5))]
  }
  expect(of('Retail | North', undefined)).toEqual([
    ['Tenant', 'Account', 'Site'],
    ['Acme `t1`', 'Retail \\| North', 'Berlin'],
    ['Acme `t1`', '', 'Berlin'],
  ])
  expect(of(undefined)[0]).toEqual(['Tenant', 'Site', 'Went offline'])
})

test('notes are a table of their own: about what, contact, tags, text and when', () => {
  const note = {
    node: 's:x',
    kind: 'site' as const,
    name: 'Berlin',
    contact: 'Jane <j@x>',
    tags: ['VIP', 'a|b'],
    text: 'Key\nat the desk',
    at: now,
  }
  const text = evidenceOf(evidence({ notes: [note] }))
  expect(text).toContain('## Notes\n')
  expect(rows(text, 1)).toEqual([
    ['site Berlin', '`Jane <j@x>`', 'VIP, a\\|b', 'Key at the desk', expect.stringContaining('2026-11-22T06:00:00Z')],
  ])
  expect(evidenceOf(evidence())).not.toContain('## Notes')
})
