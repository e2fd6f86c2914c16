import { describe, expect, test } from 'vitest'
import { fieldsOf, unusedText } from '../../../src-renderer/connections/form/fields.ts'
import { firstView, queryOf, sortedBy } from '../../../src-renderer/inventory/filter/view.ts'
import { listMove, treeMove, typedAhead } from '../../../src-renderer/inventory/tree/tree-moves.ts'

const at = { index: 5, total: 20, page: 8, row: { expanded: null, parent: 'p' } }

describe('keys of the tree', () => {
  test.each([
    ['ArrowDown', 6],
    ['ArrowUp', 4],
    ['PageDown', 13],
    ['PageUp', 0],
    ['Home', 0],
    ['End', 19],
  ])('%s goes to line %i', (key, index) => expect(treeMove(key, at)).toEqual({ move: 'to', index }))

  test('right opens, then goes in; left closes, then goes to the parent', () => {
    expect(treeMove('ArrowRight', { ...at, row: { expanded: false, parent: null } })).toEqual({ move: 'expand' })
    expect(treeMove('ArrowRight', { ...at, row: { expanded: true, parent: null } })).toEqual({ move: 'to', index: 6 })
    expect(treeMove('ArrowRight', at)).toBeNull()
    expect(treeMove('ArrowLeft', { ...at, row: { expanded: true, parent: null } })).toEqual({ move: 'collapse' })
    expect(treeMove('ArrowLeft', at)).toEqual({ move: 'parent' })
    expect(treeMove('ArrowLeft', { ...at, row: { expanded: false, parent: null } })).toBeNull()
  })

  test("ends are ends, and other keys are not the tree's", () => {
    expect(treeMove('ArrowDown', { ...at, index: 19 })).toEqual({ move: 'to', index: 19 })
    expect(treeMove('x', at)).toBeNull()
  })

  test('letters find the first name with that prefix, in any case', () => {
    const names = ['Austin', 'Berlin', 'Boston', 'austin 2']
    expect([typedAhead(names, 'a'), typedAhead(names, 'bo'), typedAhead(names, 'z')]).toEqual([0, 2, -1])
  })

  test('the asterisk opens the siblings', () => expect(treeMove('*', at)).toEqual({ move: 'siblings' }))
})

describe('keys of the table', () => {
  test('from before the first row the arrow goes to the first', () => expect(listMove('ArrowDown', -1, 10, 5)).toBe(0))
  test('never outside, never in an empty table', () => {
    expect([listMove('PageDown', 8, 10, 5), listMove('PageUp', 2, 10, 5), listMove('End', 0, 10, 5)]).toEqual([9, 0, 9])
    expect(listMove('ArrowDown', -1, 0, 5)).toBeNull()
    expect(listMove('Enter', 1, 10, 5)).toBeNull()
  })
})

describe('sorting', () => {
  const byName = [{ column: 'name', direction: 'asc' }] as const

  test('a head sorts alone, and turns round when it leads', () => {
    expect(sortedBy(byName, 'site', false)).toEqual([{ column: 'site', direction: 'asc' }])
    expect(sortedBy(byName, 'name', false)).toEqual([{ column: 'name', direction: 'desc' }])
  })

  test('with Shift it joins the order, turns round in its place, and four are the most', () => {
    const two = sortedBy(byName, 'site', true)
    expect(two).toEqual([...byName, { column: 'site', direction: 'asc' }])
    expect(sortedBy(two, 'site', true)).toEqual([...byName, { column: 'site', direction: 'desc' }])
    const four = (['site', 'room', 'tenant'] as const).reduce<ReturnType<typeof sortedBy>>(
      (sorts, column) => sortedBy(sorts, column, true),
      byName,
    )
    expect(sortedBy(four, 'region', true)).toEqual(four)
  })

  test('the default order is offline devices, longest first, everywhere', () => {
    expect(queryOf(firstView)).toEqual({
      scope: 'all',
      filter: 'connected:no spare:no',
      sort: [{ column: 'since', direction: 'asc' }],
    })
    expect(
      queryOf({
        ...firstView,
        path: [
          { id: 'r', name: 'R' },
          { id: 't', name: 'T' },
        ],
        filter: 'site:x',
      }),
    ).toMatchObject({ scope: 't', filter: 'site:x', sort: [{ column: 'name', direction: 'asc' }] })
  })
})

describe('the connection form', () => {
  test('a pasted object fills the fields that it names; other text is left alone', () => {
    const found = fieldsOf(' {"token_url": "https://t", "client_secret": "s", "port": 1, "graphql_url": 7} ')
    expect(found && Object.fromEntries(found.fields)).toEqual({ tokenUrl: 'https://t', clientSecret: 's' })
    expect(unusedText(found?.unused ?? [])).toBe('Not used: port, graphql_url.')
    expect(
      unusedText(fieldsOf('{"name": "Acme", "ca": "-----BEGIN", "ca_file": "/tmp/ca.pem"}')?.unused ?? []),
    ).toMatch(/^Of the CA certificate it names only a file \(ca_file\)[^:]*: paste the text/u)
    expect(unusedText(fieldsOf('{"client_id": "a"}')?.unused ?? [])).toBe('')
    expect(fieldsOf('{"__proto__": "a", "toString": "b"}')).toBeNull()
    for (const text of ['https://t', '{"a": 1}', '{"token_url": ', '[1]', '']) expect(fieldsOf(text)).toBeNull()
  })
})
