import Papa from 'papaparse'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import { acme, connection, event, fact, key, pageOf, query, service, tempProfile } from './profile.ts'

const now = Date.UTC(2026, 0, 31, 12)

let temp: ReturnType<typeof tempProfile>
let calls: Calls
beforeEach(() => {
  temp = tempProfile()
  calls = callsOn(openStore(temp.profile, 1, 0))
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

type Over = Partial<Parameters<Calls['exportPart']>[0]>
const part = (over: Over = {}) =>
  calls.exportPart({
    query: query({ sort: [{ column: 'id', direction: 'asc' }] }),
    keys: null,
    columns: ['id', 'name'],
    format: 'csv',
    after: null,
    now,
    ...over,
  })
const whole = (over: Over = {}) => {
  const texts: string[] = []
  for (let next = part(over); ; next = part({ ...over, after: next.after })) {
    texts.push(next.text)
    if (next.after === null) return texts
  }
}
const named = (names: string[]) => calls.page(pageOf(names.map((name, n) => fact(`d${n}`, { name }))))

describe('exports', () => {
  test('a name with direction marks turns no cell beside it, and JSON keeps it', () => {
    named(['Room \u202Eexe.txt', 'shut\u2069 \u2066', '\u202Ewhole\u202C', 'חדר \u200F4', '\u202E=1+1'])
    expect(whole().join('')).toBe(
      `\uFEFF${['id,name', 'd0,Room exe.txt', 'd1,"shut "', 'd2,\u202Ewhole\u202C', 'd3,חדר \u200F4', "d4,'=1+1", ''].join('\r\n')}`,
    )
    expect(JSON.parse(whole({ format: 'json' }).join(''))[0]).toEqual({ id: 'd0', name: 'Room \u202Eexe.txt' })
  })

  test('CSV is quoted, has its byte order mark, and no cell of it is a formula', () => {
    named(['=1+1', '+x', '-2', '@a', '\tb', '\rc', 'plain', 'a "b", c', 'two\nlines', 'a;=1', '＝1'])
    expect(whole().join('')).toBe(
      '\uFEFF' +
        [
          'id,name',
          "d0,'=1+1",
          "d1,'+x",
          "d10,'＝1",
          "d2,'-2",
          "d3,'@a",
          'd4,"\'\tb"',
          'd5,"\'\rc"',
          'd6,plain',
          'd7,"a ""b"", c"',
          'd8,"two\nlines"',
          'd9,"a;=1"',
          '',
        ].join('\r\n'),
    )
  })

  test('tab-separated text keeps to its lines and cells', () => {
    named(['a\tb\r\nc', '=x'])
    expect(whole({ format: 'tsv' }).join('')).toBe("id\tname\nd0\ta b c\nd1\t'=x\n")
  })

  test('a quote swallows no cell or row of the clipboard, and hides no formula', () => {
    named([
      '"Lobby',
      'next',
      '"=HYPERLINK(""http://evil"",""x"")"',
      '19" screen',
      '"',
      '  =1',
      '\uFEFF+1',
      '\u00A0@x',
      ' "-1',
      '" a room',
    ])
    const read = (text: string) =>
      Papa.parse<string[]>(text, { delimiter: '\t', newline: '\n', skipEmptyLines: true }).data
    expect(read(whole({ format: 'tsv' }).join(''))).toEqual([
      ['id', 'name'],
      ['d0', '"Lobby'],
      ['d1', 'next'],
      ['d2', '\'"=HYPERLINK(""http://evil"",""x"")"'],
      ['d3', '19" screen'],
      ['d4', '"'],
      ['d5', "'  =1"],
      ['d6', "'\uFEFF+1"],
      ['d7', "'\u00A0@x"],
      ['d8', '\' "-1'],
      ['d9', '" a room'],
    ])
  })

  test('times are ISO in UTC, and labels are those of the window', () => {
    calls.visibility({ service, connection, tenants: null, visible: true, confirmedAt: 0 })
    calls.page(pageOf([fact('d0', { lastDetected: now, site: null, room: { id: 'r', name: '-R' } })]))
    calls.events({ service, events: [event('d0', { connected: false, at: now - 1500 })] })
    const columns: ColumnId[] = [
      'status',
      'since',
      'lastDetected',
      'lastConfigRequestDate',
      'site',
      'room',
      'tenant',
      'region',
      'seenAt',
      'hardwareModel',
    ]
    expect(whole({ columns }).join('')).toBe(
      '\uFEFFstatus,since,sinceKind,lastDetected,lastConfigRequestDate,site,room,tenant,region,seenAt,hardwareModel,id\r\n' +
        "offline,2026-01-31T11:59:58.500Z,seen,2026-01-31T12:00:00.000Z,,,'-R,Acme,EU-1,2026-01-31T11:59:58.500Z,X50,d0\r\n",
    )
    expect(JSON.parse(whole({ columns: ['status', 'since', 'site'], format: 'json' }).join(''))).toEqual([
      { status: 'offline', since: '2026-01-31T11:59:58.500Z', sinceKind: 'seen', site: null, id: 'd0' },
    ])
    // The clipboard gets what is shown.
    expect(whole({ columns: ['status'], format: 'tsv' }).join('')).toBe('status\noffline\n')
  })

  test('extra columns: numbers are numbers, and values that are not loaded are omitted', () => {
    named(['a', 'b', 'c'])
    const types = { load: 'number', wired: 'boolean', installed: 'time', serial: 'text' } as const
    calls.extraColumns({ columns: Object.entries(types).map(([name, type]) => ({ name, type, services: [service] })) })
    calls.extraValues({
      service,
      tenant: acme.id,
      devices: [
        { id: 'd0', values: { load: '-5', wired: 'true', installed: '1769860800', serial: '-5' } },
        { id: 'd1', values: { load: null, serial: '=x', wired: 'perhaps' } },
      ],
    })
    const columns: ColumnId[] = ['id', 'extra:load', 'extra:wired', 'extra:installed', 'extra:serial']
    expect(JSON.parse(whole({ columns, format: 'json' }).join(''))).toEqual([
      { id: 'd0', load: -5, wired: true, installed: '2026-01-31T12:00:00.000Z', serial: '-5' },
      { id: 'd1', load: null, serial: '=x', wired: 'perhaps' },
      { id: 'd2' },
    ])
    expect(whole({ columns }).join('')).toContain(
      "\r\nd0,-5,true,2026-01-31T12:00:00.000Z,'-5\r\nd1,,perhaps,,'=x\r\nd2,,,,\r\n",
    )
  })

  const addDevices = (count: number) => {
    for (let n = 0; n < count; n += 500)
      calls.page(
        pageOf(Array.from({ length: Math.min(500, count - n) }, (_, i) => fact(`d${String(n + i).padStart(5, '0')}`))),
      )
  }

  test.each(['csv', 'json', 'tsv'] as const)(
    '%s: the parts make one file in the initial order, whatever happens between them',
    (format) => {
      addDevices(2300)
      const first = part({ format })
      expect(first.total).toBe(2300)
      // Renamed, gone and new ones: the order stays, the gone one is left out, the new one does not come in.
      calls.events({ service, events: [event('d00000', { name: 'zzz' }), event('d02000', { name: 'aaa' })] })
      calls.page(pageOf([fact('a-new-one')], { generation: 2 }))
      const second = part({ format, after: first.after })
      calls.tenants({ service, connection, tenants: [acme, { id: 'x', name: 'X', region: null }], at: 0 })
      const third = part({ format, after: second.after })
      expect(third.after).toBeNull()
      const text = [first, second, third].map((one) => one.text).join('')
      const ids =
        format === 'json'
          ? (JSON.parse(text) as { id: string }[]).map(({ id }) => id)
          : text
              .trim()
              .split(/\r?\n/u)
              .slice(1)
              .map((line) => line.slice(0, 6))
      expect(ids).toEqual(Array.from({ length: 2300 }, (_, n) => `d${String(n).padStart(5, '0')}`))
      expect(text).toContain('aaa')
    },
  )

  test('JSON stays valid when the first part, or all, is gone by then', () => {
    addDevices(1500)
    const first = part({ format: 'json' })
    calls.tenants({ service, connection, tenants: [], at: 1 })
    const rest = part({ format: 'json', after: first.after })
    expect((JSON.parse(first.text + rest.text) as unknown[]).length).toBe(1000)
    expect(JSON.parse(whole({ format: 'json' }).join(''))).toEqual([])
    expect(whole().join('')).toBe('\uFEFFid,name\r\n')
  })

  test("selected devices come in the table's order, also when the filter no longer lists them", () => {
    named(['b', 'a', 'c'])
    const keys = ['d2', 'd0', 'gone'].map((id) => key(id))
    const asked = query({ filter: 'name:nothing', sort: [{ column: 'name', direction: 'desc' }] })
    expect(whole({ keys, query: asked, format: 'tsv' }).join('')).toBe('id\tname\nd2\tc\nd0\tb\n')
  })

  test('an abandoned export is dropped with an error', () => {
    addDevices(1001)
    const first = part()
    calls.rows({ query: query(), offset: 0, limit: 1, now: now + 11 * 60_000 })
    expect(() => part({ after: first.after, now: now + 11 * 60_000 })).toThrow(/start it again/u)
    expect(() => part({ after: 'nonsense' })).toThrow(/no part of an export/u)
    const begun = Array.from({ length: 20 }, () => part())
    expect(() => part({ after: begun[0]?.after ?? '' })).toThrow(/start it again/u)
    expect(part({ after: begun.at(-1)?.after ?? '' }).after).toBeNull()
  })
})
