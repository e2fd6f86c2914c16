import { expect, test } from 'vitest'
import { jsonObject, exportColumns } from '../../../src-main/inventory/reads/export-cells.ts'
import { extraFacts } from '../../../src-main/sync/columns/extra-facts.ts'
import { own } from '../../../src-shared/lib/own.ts'
import type { DeviceRow } from '../../../src-shared/model/inventory.ts'

/** The names that every object inherits, as fields of a service's schema. */
const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf']

const edgesOf = (nodes: string): unknown[] => JSON.parse(nodes) as unknown[]

test('a field named like an inherited property is read only where the service sends it', () => {
  const edges = edgesOf(
    '[{"node":{"id":"a"}},{"node":{"id":"b","constructor":"Acme","toString":null,"__proto__":"x","user":{}}}]',
  )
  const [without, within] = extraFacts({ edges, errors: [] }, [...inherited, 'user.constructor'])
  expect(Object.entries(without?.values ?? {})).toEqual([])
  expect(Object.entries(within?.values ?? {})).toEqual([
    ['constructor', 'Acme'],
    ['toString', null],
    ['__proto__', 'x'],
  ])
  // It is sent to the data thread, and exported.
  expect(structuredClone(within)).toEqual(within)
})

test.each(inherited)('a row without %s has nothing under that name in an export', (name) => {
  const [column] = exportColumns([`extra:${name}`], () => 'text')
  const row = { extra: {} } as DeviceRow
  expect(column?.cellOf(row)).toBeUndefined()
  expect(column === undefined ? '' : jsonObject([column], row)).toBe('{}')
  expect(own({}, name)).toBeUndefined()
})
