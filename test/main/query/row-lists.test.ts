import { array, assert, constantFrom, integer, jsonValue, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnswers } from '../../../src-main/query/answers/answers.ts'
import { endOfValue, sliceData, slicePage } from '../../../src-main/query/batch/page-slices.ts'
import { createRowLists } from '../../../src-main/query/batch/row-lists.ts'

/** The texts of rows, of which each begins and ends at two of these positions. */
const textsAt = (bytes: Uint8Array, rows: readonly number[]) =>
  rows.flatMap((from, at) => (at % 2 === 0 ? [new TextDecoder().decode(bytes.subarray(from, rows[at + 1]))] : []))
const bytesOf = (text: string) => new TextEncoder().encode(text)
const plan = { path: ['t', 'd'], list: 'edges', node: 'node', info: 'pageInfo', token: 'nextToken' }
const pageOf = (rows: readonly unknown[], info: object = {}, more: object = {}) => ({
  data: { t: { d: { edges: rows.map((node) => ({ cursor: 'c', node })), pageInfo: info } } },
  ...more,
})
const slice = (text: string) => {
  const bytes = bytesOf(text)
  const found = slicePage(bytes, plan)
  return { ...found, rows: textsAt(bytes, found.rows) }
}
const data = (value: unknown) => {
  const bytes = bytesOf(JSON.stringify(value))
  const found = sliceData(bytes)
  return { ...found, rows: textsAt(bytes, found.rows).map((text) => JSON.parse(text) as unknown) }
}

describe('a page', () => {
  test('gives its rows as the service wrote them, whatever the order and the white space', () => {
    const text = ` { "errors" : [{"message":"no","path":["t",1],"extensions":{"code":"X"}}] , "data":{"x":[{"d":1}],"t": {"d" :{"pageInfo":{"nextToken":"\\u0061\\"","hasNextPage":true,"totalCount":"12"}, "edges":[ {"node":{"v":1.50, "s":"]}\\"" } }, null , {"node":null},{"node": {}} ]}} } } `
    expect(slice(text)).toEqual({
      is: 'page',
      at: '',
      rows: ['{"v":1.50, "s":"]}\\"" }', '{}'],
      missing: 2,
      token: 'a"',
      more: true,
      total: 12,
      errors: [{ message: 'no', path: 't.1', code: 'X' }],
      errorCount: 1,
    })
  })

  test('any values are the rows, and any of them is found', () => {
    assert(
      property(
        array(record({ id: integer(), value: jsonValue() })),
        constantFrom(undefined, 1, '\t'),
        (rows, indent) => {
          const found = slice(JSON.stringify(pageOf(rows, { nextToken: null, hasNextPage: false }), null, indent))
          expect([found.is, found.rows.map((row) => JSON.parse(row) as unknown), found.token, found.more]).toEqual([
            'page',
            JSON.parse(JSON.stringify(rows)),
            null,
            false,
          ])
        },
      ),
    )
  })

  test.each([
    ['{"data":null,"errors":[{"message":"no"}]}', 'null', ''],
    ['{"data":{"t":null}}', 'null', 't'],
    ['{"data":{"t":{"d":null}}}', 'null', 't.d'],
    ['{"data":{"t":{"d":{"edges":null}}}}', 'page', ''],
    ['{"data":{"t":{"d":{"pageInfo":null}}}}', 'null', ''],
    ['{"data":{"t":[{"d":{"edges":[]}}]}}', 'list', 't'],
    ['<html>', 'unreadable', ''],
    ['', 'unreadable', ''],
    ['{"data":{"t":{"d":{"edges":[{"node":{"id":1}},', 'unreadable', ''],
    ['{"data":{"t":{"d":{"edges":[{"node":{"id":1}}]}}}} x', 'unreadable', ''],
    ['[]', 'unreadable', ''],
  ])('that is none says so: %s', (text, is, at) => {
    const found = slice(text)
    expect([found.is, found.at, found.rows]).toEqual([is, at, []])
  })

  test('no beginning of a page is taken for a whole one', () => {
    const text = JSON.stringify(pageOf([{ a: 'x\\"]' }, { b: [1, { c: null }] }], { nextToken: 'n' }))
    for (let length = 0; length < text.length; length += 1)
      expect([length, slice(text.slice(0, length)).is, slice(text.slice(0, length)).rows]).toEqual([
        length,
        'unreadable',
        [],
      ])
  })

  test('a value that is nested a million times ends where it ends', () => {
    const text = bytesOf(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)},`)
    expect(endOfValue(text, 0)).toBe(2_000_000)
  })
})

test('an answer without a plan has its only list of objects as rows, or is one row', () => {
  expect(data({ data: { tenant: { rooms: [{ id: 1 }, null, { id: 2 }], tags: ['x'] } } })).toMatchObject({
    rows: [{ id: 1 }, { id: 2 }],
    missing: 1,
  })
  expect(data({ data: { a: { edges: [{ node: { id: 1 } }] } } }).rows).toEqual([{ id: 1 }])
  expect(data({ data: { tenant: { name: 'x', inner: { n: 1 } } } }).rows).toEqual([{ name: 'x', inner: { n: 1 } }])
  expect(data({ data: { a: [{ id: 1 }], b: [{ id: 2 }] } }).rows).toEqual([{ a: [{ id: 1 }], b: [{ id: 2 }] }])
  expect(data({ data: { a: [{ inner: [{ id: 1 }] }] } }).rows).toEqual([{ inner: [{ id: 1 }] }])
  expect(data({ data: { count: 5, tenant: null } }).rows).toEqual([{ count: 5, tenant: null }])
  expect(data({ data: { list: [] } })).toMatchObject({ is: 'page', rows: [] })
  expect([data({ data: { tenant: null } }).is, data({ data: null }).is]).toEqual(['null', 'null'])
})

function created(mostBytes?: number) {
  const answers = createAnswers(mostBytes)
  const lists = createRowLists(answers)
  const take = (
    id: string,
    slot: number,
    rows: readonly unknown[],
    tenant: Parameters<typeof lists.takePage>[3] = null,
    most = 1e9,
  ) => {
    const text = bytesOf(JSON.stringify(pageOf(rows)))
    lists.stage(id, slot, text.slice(0, 11))
    lists.stage(id, slot, text.slice(11))
    return lists.takePage(id, slot, plan, tenant, most)
  }
  const read = (id: string) => {
    const { text } = answers.text(id, 0)
    return text === '' ? null : (JSON.parse(text) as unknown)
  }
  return { answers, lists, take, read }
}

describe('a list of rows', () => {
  test('is one list in the order of its slots, whenever they came, and is continued', () => {
    const { lists, take, read } = created()
    take('a', 1, [{ v: 3 }])
    take('a', 0, [{ v: 1 }])
    take('a', 0, [])
    take('a', 0, [{ v: 2 }])
    lists.markFailed('a', 2, { tenant: 'T', tenantId: 't', region: null }, 'no "good"')
    expect(lists.finishList('a')).toMatchObject({ lines: 16 })
    expect(read('a')).toEqual([{ v: 1 }, { v: 2 }, { v: 3 }, { tenant: 'T', tenantId: 't', error: 'no "good"' }])
    expect([lists.continueList('a', 'b'), read('a'), lists.continueList('a', 'c')]).toEqual([true, null, false])
    lists.markFailed('b', 2, null, null)
    take('b', 2, [{ v: 4 }])
    take('b', 0, [{ v: 2.5 }])
    lists.finishList('b')
    expect(read('b')).toEqual([{ v: 1 }, { v: 2 }, { v: 2.5 }, { v: 3 }, { v: 4 }])
  })

  test('without rows is an empty list', () => {
    const { lists, read } = created()
    lists.finishList('a')
    expect(read('a')).toEqual([])
    expect(lists.continueList('a', 'b')).toBe(true)
    lists.finishList('b')
    expect(read('b')).toEqual([])
  })

  test('takes no more rows than fit, and says so', () => {
    const { lists, take, read } = created()
    expect(take('a', 0, [{ v: 1 }, { v: 2 }, { v: 3 }], null, 17)).toMatchObject({ rows: 2, isFull: true, bytes: 15 })
    lists.finishList('a')
    expect(read('a')).toEqual([{ v: 1 }, { v: 2 }])
  })

  test('begins each row with its tenant, whose names give way to those of the row', () => {
    const { lists, take, read } = created()
    const tenant = { tenant: 'A "b"', tenantId: 't', region: 'EU-1' }
    take('a', 0, [{ v: 1 }, {}, 5], tenant)
    take('a', 1, [{ tenant: { name: 'x' }, region: null }], tenant)
    lists.finishList('a')
    expect(read('a')).toEqual([
      { ...tenant, v: 1 },
      tenant,
      { ...tenant, value: 5 },
      { tenant_: 'A "b"', tenantId: 't', region_: 'EU-1', tenant: { name: 'x' }, region: null },
    ])
  })

  test('a page of millions of empty rows takes no more memory than a few times its bytes', () => {
    const { lists, take } = created()
    const text = bytesOf(`{"data":{"t":{"d":{"nodes":[${'{},'.repeat(3_000_000)}{}]}}}}`)
    lists.stage('a', 0, text)
    const before = process.memoryUsage().rss
    const page = lists.takePage('a', 0, { ...plan, list: 'nodes', node: null }, null, 1e9)
    expect([page.rows, (process.memoryUsage().rss - before) / 1e6 < 300]).toEqual([3_000_001, true])
    expect(take('a', 0, [{ v: 1 }])).toMatchObject({ rows: 1 })
  })

  test('any rows in any slots make valid JSON with all of them', () => {
    assert(
      property(
        array(record({ slot: integer({ min: 0, max: 4 }), rows: array(record({ v: jsonValue() })) })),
        (pages) => {
          const { lists, take, read } = created()
          for (const { slot, rows } of pages) take('a', slot, rows)
          lists.finishList('a')
          const ordered = pages.toSorted((one, other) => one.slot - other.slot).flatMap(({ rows }) => rows)
          expect(read('a')).toEqual(JSON.parse(JSON.stringify(ordered)))
        },
      ),
    )
  })

  test('that gave way to later answers is gone, and cannot be continued', () => {
    const { lists, take } = created(100)
    for (const id of ['a', 'b']) {
      take(id, 0, [{ v: 'x'.repeat(80) }])
      lists.finishList(id)
    }
    expect([lists.continueList('a', 'c'), lists.continueList('b', 'd')]).toEqual([false, true])
  })

  test('an answer that is tried again leaves nothing of its first try', () => {
    const { lists, take, read } = created()
    lists.stage('a', 0, bytesOf('{"data":'))
    lists.unstage('a', 0)
    expect(take('a', 0, [{ v: 1 }])).toMatchObject({ is: 'page', rows: 1 })
    lists.finishList('a')
    expect(read('a')).toEqual([{ v: 1 }])
  })
})
