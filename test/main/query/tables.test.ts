import { describe, expect, test } from 'vitest'
import { createAnswers, type Answers } from '../../../src-main/query/answers/answers.ts'
import type { TableFormat, TableView } from '../../../src-shared/model/query-table.ts'
import { drawsOf } from '../missed/draws.ts'

function answered(text: string): Answers {
  const answers = createAnswers()
  answers.append('a', new TextEncoder().encode(text))
  answers.finish('a')
  return answers
}

const json = (value: unknown) => answered(JSON.stringify(value))
const namesOf = (answers: Answers) => answers.tables('a')?.tables.map(({ name, rows }) => `${name} ${rows}`)
const columnsOf = (answers: Answers, table = 0) => answers.table({ id: 'a', table })?.columns ?? []

const viewOf = (answers: Answers, part: Partial<TableView> = {}, table = 0): TableView => ({
  columns: columnsOf(answers, table).map((_name, index) => index),
  filter: '',
  sort: null,
  ...part,
})

/** Returns the rows as they are shown: `null` for what a row has not. */
function shown(answers: Answers, part: Partial<TableView> = {}, table = 0): (string | null)[][] {
  const rows = []
  for (let offset = 0; ; offset += 200) {
    const view = viewOf(answers, part, table)
    const found = answers.tableRows({ id: 'a', table, view, offset, limit: 200 })
    rows.push(...(found?.rows ?? []).map(({ cells }) => cells.map((cell) => cell?.text ?? null)))
    if (found === null || offset + 200 >= found.total) return rows
  }
}

/** Returns the rows in the order of a column, by the values of another one. */
function order(answers: Answers, by: string, direction: 'asc' | 'desc' = 'asc', of = 'id'): (string | null)[] {
  const columns = columnsOf(answers)
  return shown(answers, { sort: { column: columns.indexOf(by), direction } }).map(
    (row) => row[columns.indexOf(of)] ?? null,
  )
}

function file(answers: Answers, format: TableFormat, part: Partial<TableView> = {}): string {
  let text = ''
  for (let from = 0; ;) {
    const view = viewOf(answers, part)
    const found = answers.tableExport({ id: 'a', table: 0, view, format, range: null, from })
    text += found?.text ?? ''
    if (found === null || found.next === null) return text
    from = found.next
  }
}

describe('the lists of an answer', () => {
  test('each list of objects is a table, with the lists in its rows, the longest first', () => {
    const answers = json({
      data: {
        tenants: [
          { id: 't1', devices: [{ id: 1 }, { id: 2 }], tags: ['a'] },
          { id: 't2', devices: [{ id: 3 }], tags: [] },
        ],
        one: { none: [], words: ['a', 'b'] },
      },
      errors: [{ message: 'no' }],
    })
    expect(namesOf(answers)).toEqual(['tenants[].devices 3', 'tenants 2'])
    expect(shown(answers)).toEqual([['1'], ['2'], ['3']])
    expect(columnsOf(answers, 1)).toEqual(['id', 'devices', 'tags'])
    expect(shown(answers, {}, 1)).toEqual([
      ['t1', '2 items', 'a'],
      ['t2', '1 item', '0 items'],
    ])
  })

  test('a connection’s edges are their nodes, and what an edge says itself comes last', () => {
    const edges = [
      { cursor: 'x', node: { id: 1, site: { name: 'Berlin' } } },
      { cursor: 'y', node: null },
    ]
    const answers = json({ data: { tenant: { devices: { edges, pageInfo: { hasNextPage: false } } } } })
    expect(namesOf(answers)).toEqual(['tenant.devices 2'])
    expect(columnsOf(answers)).toEqual(['id', 'site.name', 'edge.cursor'])
    expect(shown(answers)).toEqual([
      ['1', 'Berlin', 'x'],
      [null, null, 'y'],
    ])
  })

  test('an answer that is one list is a table', () => {
    const answers = json([
      { tenant: 'Acme', id: 1 },
      { tenant: 'Bolt', id: 2 },
    ])
    expect(namesOf(answers)).toEqual([' 2'])
    expect(shown(answers)).toEqual([
      ['Acme', '1'],
      ['Bolt', '2'],
    ])
  })

  test.each(['', '[]', '{}', '[1,2]', '[[],[]]', 'no JSON at all', '{"data":null}', '"text"', '{"a":[', ']]}}'])(
    'a text without a list of objects has no table: %s',
    (text) => expect(answered(text).tables('a')?.tables).toEqual([]),
  )

  test('rows that are null, scalars or lists are rows, and their value is a column', () => {
    const answers = answered('[{"a":1},null,7,"x",[1,2],{},[{"b":1}]]')
    expect(columnsOf(answers)).toEqual(['(value)', 'a'])
    expect(shown(answers)).toEqual([
      [null, '1'],
      ['', null],
      ['7', null],
      ['x', null],
      ['1, 2', null],
      [null, null],
      ['1 item', null],
    ])
  })

  test('a text that was cut has the rows before the cut, and says so', () => {
    const whole = JSON.stringify({ data: { list: [{ a: 1 }, { a: 2, b: { c: 3 } }, { a: 4 }] } })
    for (let end = 1; end < whole.length; end += 1) {
      const answers = answered(whole.slice(0, end))
      const found = answers.table({ id: 'a', table: 0 })
      const rows = found === null ? [] : shown(answers)
      expect(rows.map(([a]) => a)).toEqual(['1', '2', '4'].slice(0, rows.length))
      if (whole.slice(0, end).endsWith('{"a":2,"b":{"c":3}')) expect([rows.length, found?.isCut]).toEqual([1, true])
    }
  })

  test('an answer that is not kept, and a table that is not there, are null', () => {
    const answers = json([{ a: 1 }])
    expect(answers.table({ id: 'a', table: 1 })).toBeNull()
    answers.forget('a')
    expect(answers.tables('a')).toBeNull()
    expect(answers.tableRows({ id: 'a', table: 0, view: viewOf(answers), offset: 0, limit: 10 })).toBeNull()
  })
})

test('names of any kind are columns: with dots, of prototypes, empty, twice', () => {
  const answers = answered(
    String.raw`[{"__proto__":1,"a.b":2,"a":{"b":3},"":4,"constructor":{"toString":5},"n":1,"n":6,"o":{"x":1},"o":{"y":2},"\u0061":{"c":7}}]`,
  )
  expect(columnsOf(answers)).toEqual([
    '__proto__',
    '["a.b"]',
    'a.b',
    'a.c',
    '[""]',
    'constructor.toString',
    'n',
    'o.x',
    'o.y',
  ])
  // The last of two counts, as in JSON.parse.
  expect(shown(answers)).toEqual([['1', '2', null, '7', '4', '5', '6', null, '2']])
  expect(JSON.parse(file(answers, 'json'))).toHaveLength(1)
})

test('of 1,000 columns the first 200 are read; what is too deep is one value', () => {
  const wide = json([Object.fromEntries(Array.from({ length: 1_000 }, (_none, at) => [`c${at}`, at]))])
  expect(wide.table({ id: 'a', table: 0 })).toMatchObject({ columnCount: 1_000, rows: 1 })
  expect(columnsOf(wide)).toHaveLength(200)
  const deep = answered(`[${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}]`)
  expect(deep.tables('a')).toMatchObject({ isCut: true })
  expect(columnsOf(deep)).toEqual([Array.from({ length: 39 }, () => 'a').join('.')])
  expect(shown(deep)[0]?.[0]).toMatch(/^\{"a":/u)
})

test('a long text is shown by its beginning, and told as a whole', () => {
  const answers = json([{ a: 'é"\n'.repeat(1_000) }])
  const [row] = answers.tableRows({ id: 'a', table: 0, view: viewOf(answers), offset: 0, limit: 1 })?.rows ?? []
  expect(row?.cells[0]).toEqual({ kind: 'text', text: 'é"\n'.repeat(100), isCut: true })
  expect(answers.tableCell({ id: 'a', table: 0, row: 0, column: 0 })?.cell?.text).toBe('é"\n'.repeat(1_000))
})

describe('the order of rows', () => {
  test('numbers are ordered by value, texts naturally, and what is missing is last, either way', () => {
    const rows = ['Room 10', 'room 2', 'Åre', 'Zug', undefined, null].map((name, id) => ({
      id,
      name,
      n: [5, 10, -1, 1e3, null, 0.5][id],
    }))
    const answers = json(rows)
    expect(order(answers, 'name')).toEqual(['2', '1', '0', '3', '4', '5'])
    expect(order(answers, 'name', 'desc')).toEqual(['3', '0', '1', '2', '4', '5'])
    expect(order(answers, 'n')).toEqual(['2', '5', '0', '1', '3', '4'])
    expect(order(answers, 'n', 'desc')).toEqual(['3', '1', '0', '5', '2', '4'])
  })

  test('times are ordered as times, whatever their zone', () => {
    const times = ['2026-01-01T12:00:00+05:00', '2026-01-01T08:00:00Z', '2026-01-01T06:59:59.9Z']
    expect(order(json(times.map((at, id) => ({ id, at }))), 'at')).toEqual(['2', '0', '1'])
  })

  test('values of different kinds stand apart, and equal ones stay in their order', () => {
    const values = ['b', 2, true, 'a', 1, false, [1, 2], [1], 'a', 1]
    const answers = json(values.map((value, id) => ({ id, value })))
    expect(order(answers, 'value')).toEqual(['4', '9', '1', '3', '8', '0', '5', '2', '7', '6'])
  })

  test('many different texts are ordered naturally too', () => {
    const answers = json(
      Array.from({ length: 30_000 }, (_none, at) => ({ id: 29_999 - at, name: `Raum ${29_999 - at}` })),
    )
    expect(order(answers, 'name')).toEqual(Array.from({ length: 30_000 }, (_none, at) => String(at)))
  })
})

describe('the filter of a table', () => {
  const answers = json([
    { id: 1, name: 'Café 1', site: { name: 'Berlin' }, battery: 10, at: '2026-01-01T00:00:00Z', tags: ['x', 'y'] },
    { id: 2, name: 'Lab "2"', site: null, battery: 55, at: '2026-03-01T00:00:00Z', tags: [] },
    { id: 3, name: 'Lounge', site: { name: 'Hamburg' }, battery: null, at: null, tags: [{}, {}, {}] },
  ])
  const found = (filter: string, columns?: number[]) =>
    shown(answers, { filter, ...(columns !== undefined && { columns }) }).map(([id]) => id)
  test.each([
    ['cafe', ['1']],
    ['lo', ['3']],
    ['"lab \\"2\\""', ['2']],
    ['lab 2', ['2']],
    ['-lab', ['1', '3']],
    ['site.name:berlin', ['1']],
    ['site.name:ber', []],
    ['site.name~ber', ['1']],
    ['site.name:b*n,ham*', ['1', '3']],
    ['SITE.NAME:none', ['2']],
    ['-site.name:none', ['1', '3']],
    ['battery:>10', ['2']],
    ['battery:>=10', ['1', '2']],
    ['at:<2026-02-01', ['1']],
    ['"3 items"', ['3']],
    ['items', ['2', '3']],
    ['"x, y"', ['1']],
    ['', ['1', '2', '3']],
  ])('%s', (filter, ids) => expect(found(filter)).toEqual(ids))

  test('a text is looked for in the shown columns only', () => {
    expect(found('berlin', [0, 1])).toEqual([])
    expect(found('berlin', [0, 2])).toEqual(['1'])
  })

  test.each(['nothing:1', '"open', 'battery:>x', `${'a '.repeat(30)}`])(
    'a filter that cannot be read says why: %s',
    (filter) => {
      const part = answers.tableRows({ id: 'a', table: 0, view: viewOf(answers, { filter }), offset: 0, limit: 10 })
      expect([part?.total, typeof part?.problem]).toEqual([0, 'string'])
    },
  )
})

describe('a file of a table', () => {
  const answers = answered(
    '[{"a":"=1+1","n":-5.10,"l":[1,\n {"x":"\\n"}],"b":true},\n{"a":"x, \\"y\\"","n":12345678901234567890,"z":null}]',
  )
  test('CSV has no formula, numbers as the service wrote them, and lists as JSON', () => {
    expect(file(answers, 'csv')).toBe(
      `\uFEFFa,n,l,b,z\r\n'=1+1,-5.10,"[1,  {""x"":""\\n""}]",true,\r\n"x, ""y""",12345678901234567890,,,\r\n`,
    )
  })

  test('JSON and NDJSON have the shown columns in their order, and the rows that match', () => {
    expect(file(answers, 'json', { columns: [1, 0] })).toBe(
      '[\n{"n":-5.10,"a":"=1+1"},\n{"n":12345678901234567890,"a":"x, \\"y\\""}\n]\n',
    )
    expect(file(answers, 'ndjson', { filter: 'y', columns: [0, 4] })).toBe('{"a":"x, \\"y\\"","z":null}\n')
  })

  test('a file comes in parts, in the shown order', () => {
    const many = json(Array.from({ length: 2_500 }, (_none, id) => ({ id })))
    const view = viewOf(many, { sort: { column: 0, direction: 'desc' } })
    const first = many.tableExport({ id: 'a', table: 0, view, format: 'csv', range: null, from: 0 })
    expect([first?.next, first?.total]).toEqual([1_000, 2_500])
    expect(file(many, 'csv', view).split('\r\n')).toHaveLength(2_502)
    expect((JSON.parse(file(many, 'json', view)) as { id: number }[]).map(({ id }) => id)).toEqual(
      Array.from({ length: 2_500 }, (_none, at) => 2_499 - at),
    )
    const chosen = many.tableExport({ id: 'a', table: 0, view, format: 'tsv', range: { from: 2, to: 4 }, from: 0 })
    expect(chosen?.text).toBe('id\n2497\n2496\n')
  })
})

test('columns that may have ids of devices are known by their names', () => {
  const answers = json({
    data: { devices: [{ id: 1, deviceId: 2, site: { id: 3 }, tenantId: 4, peripheral: { id: 5 }, paid: 6 }] },
  })
  expect(answers.table({ id: 'a', table: 0 })?.idColumns).toEqual([0, 1, 4])
  expect(json({ data: { tenants: [{ id: 1 }] } }).table({ id: 'a', table: 0 })?.idColumns).toEqual([])
  expect(json([{ id: 1 }]).table({ id: 'a', table: 0 })?.idColumns).toEqual([0])
})

/** A row read naively: the text of each path that is no object. */
function leaves(value: unknown, path: string[] = []): [string, string][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, member]) => leaves(member, [...path, name]))
  const text = Array.isArray(value) ? JSON.stringify(value) : value === null ? '' : String(value)
  return [[path.join('.'), text]]
}

test('any list of objects has the rows of JSON.parse', () => {
  const { part: next } = drawsOf(7)
  const value = (depth: number): unknown => {
    const kind = next()
    if (depth > 3 || kind < 0.5) return [null, true, -1.5, 'é"\\', `t${Math.floor(next() * 5)}`][Math.floor(next() * 5)]
    const members = Array.from({ length: Math.floor(next() * 4) }, (_none, at) => [`m${at}`, value(depth + 1)])
    return kind < 0.6 ? members.map(([, member]) => member) : Object.fromEntries(members)
  }
  for (let round = 0; round < 200; round += 1) {
    const rows = Array.from({ length: 1 + Math.floor(next() * 6) }, () => ({ first: 1, m0: value(0), m1: value(0) }))
    const answers = answered(JSON.stringify({ data: { rows } }, null, round % 3))
    const table = answers.tables('a')?.tables.findIndex(({ name }) => name === 'rows') ?? -1
    const columns = columnsOf(answers, table)
    const csv = answers.tableExport({
      id: 'a',
      table,
      view: viewOf(answers, {}, table),
      format: 'json',
      range: null,
      from: 0,
    })
    const read = JSON.parse(csv?.text ?? '[]') as Record<string, unknown>[]
    expect(read).toHaveLength(rows.length)
    for (const [at, row] of rows.entries()) {
      const naive = leaves(row).filter(([path, text]) => text !== '' || columns.includes(path))
      const own = Object.entries(read[at] ?? {}).flatMap(([path, member]): [string, string][] =>
        typeof member === 'object' && member !== null && !Array.isArray(member)
          ? []
          : [[path, Array.isArray(member) ? JSON.stringify(member) : member === null ? '' : String(member)]],
      )
      expect(own.toSorted()).toEqual(naive.toSorted())
    }
  }
})
