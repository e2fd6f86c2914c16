import { expect, test } from 'vitest'
import { assetsOf, readAssetList, recognised, shownList, withFields } from '../../../src-main/compare/asset-list.ts'

test('heads are recognised in any writing, each field once', () => {
  expect(
    recognised(['Device ID', 'Serial No.', 'MAC-Address', 'Host name', 'Hardware Model', 'FW', 'Location']),
  ).toEqual(['id', 'serial', 'mac', 'name', 'model', 'firmware', 'place'])
  expect(recognised(['Name', 'Hostname', 'Price'])).toEqual(['name', null, null])
  // What Muster exports.
  expect(
    recognised([
      'name',
      'hardwareModel',
      'serialNumber',
      'macAddress',
      'softwareVersion',
      'site',
      'room',
      'tenant',
      'id',
    ]),
  ).toEqual(['name', 'model', 'serial', 'mac', 'firmware', 'site', 'room', 'tenant', 'id'])
})

test.each([
  ['commas', ','],
  ['semicolons', ';'],
  ['tabs', '\t'],
])('a list with %s is read, also where no head is known', (_, sign) => {
  const rows = [
    ['Foo', 'Bar'],
    ['1', '2'],
    ['', ''],
    ['3', '4'],
  ]
  const list = readAssetList('assets.csv', `\uFEFF${rows.map((row) => row.join(sign)).join('\r\n')}`)
  expect(shownList('l', list)).toMatchObject({
    name: 'assets.csv',
    lines: 2,
    heads: [
      { head: 'Foo', sample: '1', field: null },
      { head: 'Bar', sample: '2', field: null },
    ],
  })
  expect(assetsOf(withFields(list, ['serial', 'name']))).toMatchObject([
    { line: 2, serial: '1', name: '2', key: null },
    { line: 4, serial: '3', name: '4' },
  ])
})

test('a field is taken once, and columns that are not named are nothing', () => {
  const list = readAssetList('a', 'Name,Serial,Price\nA,1,9')
  expect(() => withFields(list, ['name', 'name'])).toThrow('Two columns are taken for “name”')
  expect(withFields(list, ['serial']).fields).toEqual(['serial', null, null])
})

test('a line that cannot be read is told, and not compared', () => {
  const list = readAssetList('a', 'Name,Serial\nA,1\nB,2,3,4\nC,\uFFFD')
  expect(assetsOf(list).map(({ name }) => name)).toEqual(['A'])
  expect(shownList('l', list)).toMatchObject({ lines: 3, problemCount: 2, problems: [{ line: 3 }, { line: 4 }] })
})

test('cells lose the apostrophe of an export and the space around them, and long ones are cut', () => {
  const [first] = assetsOf(readAssetList('a', `Name,Serial\n'=A , 1 \n`))
  expect(first).toMatchObject({ name: '=A', serial: '1' })
  expect(assetsOf(readAssetList('a', `Name\n${'x'.repeat(900)}`))[0]?.name).toHaveLength(500)
})

test.each([
  ['nothing', ''],
  ['empty lines', '\n\n'],
  ['bytes', 'Name\0\nA'],
])('%s is no list', (_, text) => {
  expect(() => readAssetList('a', text)).toThrow('text:')
})

test('a list of more than 100,000 lines is not read', () => {
  expect(() => readAssetList('a', `Name\n${'A\n'.repeat(100_001)}`)).toThrow('more than 100,000 lines')
})
