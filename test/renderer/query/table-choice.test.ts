import { describe, expect, test } from 'vitest'
import {
  firstChoice,
  isWorthTable,
  movedColumn,
  resizedColumn,
  shownColumns,
  sortedBy,
  toggledColumn,
  viewOf,
} from '../../../src-renderer/query/table/choice.ts'
import { gridKey } from '../../../src-renderer/query/table/grid-keys.ts'

const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name).join()
const columns = ['a', 'b', 'c'].map((name) => ({ name, width: null }))

test('one list of some length is a table at first; a short one, or one of several, is JSON', () => {
  const list = (rows: number, within = 0) => ({ name: '', rows, within })
  expect(isWorthTable([list(60)])).toBe(true)
  expect(isWorthTable([list(60), list(900, 1)])).toBe(true)
  expect(isWorthTable([list(2)])).toBe(false)
  expect(isWorthTable([list(60), list(60)])).toBe(false)
  expect(isWorthTable([])).toBe(false)
})

describe('the shown columns', () => {
  test('are the chosen ones that the table has, or its first ones', () => {
    expect(names(shownColumns(['c', 'a'], columns))).toBe('a,c')
    expect(names(shownColumns(['x', 'y'], columns))).toBe('x,y')
    expect(
      shownColumns(
        Array.from({ length: 200 }, (_none, at) => `c${at}`),
        null,
      ),
    ).toHaveLength(30)
  })

  test('are moved within their bounds, toggled, and given a width', () => {
    expect(names(movedColumn(columns, 'a', 1))).toBe('b,a,c')
    expect(names(movedColumn(columns, 'a', 9))).toBe('b,c,a')
    expect(names(movedColumn(columns, 'x', 0))).toBe('a,b,c')
    expect(names(toggledColumn(columns, 'b'))).toBe('a,c')
    expect(names(toggledColumn(columns, 'd'))).toBe('a,b,c,d')
    expect(names(toggledColumn([{ name: 'a', width: null }], 'a'))).toBe('a')
    expect(resizedColumn(columns, 'b', 1)[1]).toEqual({ name: 'b', width: 48 })
  })

  test('are asked for by their index, with the order where its column is there', () => {
    const choice = { ...firstChoice, columns, filter: ' x ', sort: { column: 'b', direction: 'desc' } as const }
    expect(viewOf(['c', 'b', 'a'], choice)).toEqual({
      columns: [2, 1, 0],
      filter: 'x',
      sort: { column: 1, direction: 'desc' },
    })
    expect(viewOf(['a'], choice).sort).toBeNull()
  })
})

test('a head sorts up, then down, then not at all', () => {
  const up = sortedBy(null, 'a')
  const down = sortedBy(up, 'a')
  expect([up, down, sortedBy(down, 'a'), sortedBy(down, 'b')]).toEqual([
    { column: 'a', direction: 'asc' },
    { column: 'a', direction: 'desc' },
    null,
    { column: 'b', direction: 'asc' },
  ])
})

describe('the keys of the grid', () => {
  const size = { rows: 100, columns: 5, page: 10 }
  const key = (name: string, at = { row: 3, column: 2 }, more = {}) =>
    gridKey({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }, at, size)

  test.each([
    ['ArrowDown', 4, 2],
    ['ArrowUp', 2, 2],
    ['ArrowLeft', 3, 1],
    ['ArrowRight', 3, 3],
    ['Home', 3, 0],
    ['End', 3, 4],
    ['PageDown', 13, 2],
    ['PageUp', 0, 2],
  ])('%s', (name, row, column) => expect(key(name)).toEqual({ action: 'go', to: { row, column } }))

  test('go to the corners, extend by rows, and leave for the heads', () => {
    expect(key('End', undefined, { ctrlKey: true })).toEqual({ action: 'go', to: { row: 99, column: 4 } })
    expect(key('Home', undefined, { ctrlKey: true })).toEqual({ action: 'go', to: { row: 0, column: 0 } })
    expect(key('ArrowDown', undefined, { shiftKey: true })).toEqual({ action: 'extend', to: { row: 4, column: 2 } })
    expect(key('ArrowUp', { row: 0, column: 1 })).toEqual({ action: 'heads' })
    expect(key('c', undefined, { ctrlKey: true })).toEqual({ action: 'copy' })
    expect(key('a', undefined, { metaKey: true })).toEqual({ action: 'all' })
    expect([key('x'), key('ArrowDown', undefined, { altKey: true })]).toEqual([null, null])
  })
})
