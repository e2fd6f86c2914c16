import { beforeEach, expect, test } from 'vitest'
import type { DeviceFact } from '../../../../src-main/inventory/thread/protocol.ts'
import type { ComparedSides, KeptComparison } from '../../../../src-shared/model/comparison.ts'
import { acme, connection, fact, pageOf, service } from '../profile.ts'
import { useThread } from '../thread.ts'
import { emptyAsset } from './empty-asset.ts'

const thread = useThread()
const beta = { id: 'beta', name: 'Beta', region: 'EU-1' }
beforeEach(() => {
  thread.calls.tenants({ service, connection, tenants: [acme, beta], at: 0 })
  thread.calls.extraColumns({
    columns: ['serialNumber', 'softwareVersion'].map((name) => ({ name, type: 'text', services: [service] })),
  })
})

const hour = 3_600_000
const read = (tenant: string, at: number, devices: DeviceFact[]) => {
  thread.calls.page(pageOf(devices, { tenant, connection, generation: at, requestOrder: at, at }))
  thread.calls.finish({ service, tenant, connection, generation: at, at })
}
const site = (id: string, name: string, room = 'Room 1') => ({
  site: { id, name },
  room: { id: `r-${room}`, name: room },
})
const extra = (tenant: string, id: string, values: Record<string, string>) =>
  thread.calls.extraValues({ service, tenant, devices: [{ id, values }] })
const node = (kind: string, ...rest: string[]) => `${kind}:https%3A%2F%2Fservice.test/${rest.join('/')}`
const place = (of: string) => ({ kind: 'place', place: of, name: 'x' }) as const
const date = (of: string, at: number) => ({ kind: 'date', place: of, name: 'x', at }) as const

function compared(first: ComparedSides['first'], second: ComparedSides['second'], over = {}) {
  for (;;) {
    const answer = thread.calls.compareRead({
      first,
      second,
      kinds: [],
      text: '',
      offset: 0,
      limit: 100,
      now: 1,
      ...over,
    })
    if (answer !== null) return answer
  }
}
const told = (answer: ReturnType<typeof compared>) =>
  answer.rows.map(({ kinds, first, second }) => [kinds.join(), first?.name ?? null, second?.name ?? null])

test('a list is compared with the fleet by serial, name and place', () => {
  read('acme', 1, [fact('a'), fact('b'), fact('c', site('s2', 'Paris'))])
  extra('acme', 'a', { serialNumber: 'S-1', softwareVersion: '1.0' })
  thread.calls.giveAssets({
    list: 'l',
    assets: [
      { ...emptyAsset, line: 2, serial: 's1', name: 'Renamed', firmware: '2.0' },
      { ...emptyAsset, line: 3, name: 'studio c', site: 'Berlin' },
      { ...emptyAsset, line: 4, name: 'Not there' },
    ],
  })
  const answer = compared({ kind: 'list', list: 'l' }, place('all'))
  expect(told(answer)).toEqual([
    ['missing', 'Not there', null],
    ['unexpected', null, 'Studio b'],
    ['moved', 'studio c', 'Studio c'],
    ['renamed,firmware', 'Renamed', 'Studio a'],
  ])
  expect(answer).toMatchObject({
    counts: { missing: 1, unexpected: 1, moved: 1, renamed: 1, firmware: 1, model: 0, same: 0, ambiguous: 0 },
    devices: { first: 3, second: 3 },
    known: [{ field: 'serial', first: 1, second: 1 }, { field: 'mac', first: 0, second: 0 }, { field: 'firmware' }],
    unrecorded: 0,
  })
  const only = compared({ kind: 'list', list: 'l' }, place('all'), { kinds: ['firmware', 'missing'], text: 'NOT' })
  expect([only.total, told(only), only.counts.renamed]).toEqual([1, [['missing', 'Not there', null]], 0])
})

test('two sites are compared by what is in them, and not by where they are', () => {
  read('acme', 1, [fact('a', site('s1', 'Berlin')), fact('b', site('s1', 'Berlin', 'Room 2'))])
  read('beta', 1, [fact('z', { name: 'Studio a', hardwareModel: 'G7', ...site('s1', 'Paris') })])
  const answer = compared(place(node('s', 'acme', 's1')), place(node('s', 'beta', 's1')))
  expect(told(answer)).toEqual([
    ['missing', 'Studio b', null],
    ['model', 'Studio a', 'Studio a'],
  ])
  const tenants = compared(place(node('t', 'acme')), place(node('t', 'beta')))
  expect(told(tenants).at(-1)).toEqual(['moved,model', 'Studio a', 'Studio a'])
})

test('a past time by the journal: gone, new, renamed, and moved into or out of the place', () => {
  read('acme', 1000, [fact('a'), fact('b'), fact('c', site('s2', 'Paris')), fact('d')])
  const later = 10 * hour
  read('acme', later, [fact('a', { name: 'New name' }), fact('b', site('s2', 'Paris')), fact('c'), fact('e')])
  const answer = compared(date(node('s', 'acme', 's1'), later - 1), place(node('s', 'acme', 's1')))
  expect(told(answer)).toEqual([
    ['missing', 'Studio d', null],
    ['unexpected', null, 'Studio e'],
    ['moved', 'Studio b', 'Studio b'],
    ['moved', 'Studio c', 'Studio c'],
    ['renamed', 'Studio a', 'New name'],
  ])
  expect(told(compared(date('all', later + 1), place('all'))).map(([kind]) => kind)).toEqual([
    'same',
    'same',
    'same',
    'same',
  ])
})

test('without records of a time nothing is told, and devices of such a tenant are left out', () => {
  read('acme', 10 * hour, [fact('a')])
  read('beta', 20 * hour, [fact('z')])
  expect(() => compared(date('all', hour), place('all'))).toThrow('Nothing is recorded of that time')
  const answer = compared(date('all', 15 * hour), place('all'))
  expect([told(answer), answer.unrecorded]).toEqual([[['same', 'Studio a', 'Studio a']], 1])
})

test('an unknown place and a list that is gone are told', () => {
  expect(() => compared({ kind: 'list', list: 'gone' }, place('all'))).toThrow('no longer kept')
  expect(() => compared(place('t:gone'), place('all'))).toThrow('does not know it')
})

test('another reading of a list makes another comparison', () => {
  read('acme', 1, [fact('a')])
  const given = (name: string) => thread.calls.giveAssets({ list: 'l', assets: [{ ...emptyAsset, line: 2, name }] })
  given('Studio a')
  expect(told(compared({ kind: 'list', list: 'l' }, place('all')))).toEqual([['same', 'Studio a', 'Studio a']])
  given('Other')
  expect(told(compared({ kind: 'list', list: 'l' }, place('all')))[0]).toEqual(['missing', 'Other', null])
})

test('the export has what both sides say, part by part, without formulas', () => {
  read(
    'acme',
    1,
    Array.from({ length: 2500 }, (_, index) => fact(`d${index}`, { name: index === 0 ? '=1' : `N${index}` })),
  )
  thread.calls.giveAssets({ list: 'l', assets: [{ ...emptyAsset, line: 7, name: '=1', site: 'Paris' }] })
  const parts: string[] = []
  for (let row: number | null = 0; row !== null;) {
    const part = thread.calls.compareCsv({
      first: { kind: 'list', list: 'l' },
      second: place('all'),
      kinds: [],
      text: '',
      row,
      now: 1,
    })
    if (part === null) continue
    parts.push(part.text)
    row = part.next
  }
  const lines = parts.join('').trimEnd().split('\r\n')
  expect([parts.length, lines.length]).toEqual([2, 2501])
  expect(lines[0]).toMatch(/^difference,matched_by,line,first_id,.*,second_firmware$/u)
  expect(lines.at(-1)).toMatch(/^moved,name,7,,,,'=1,,Paris,.*,d0,,,'=1,Acme,Berlin,Room 1,/u)
})

const kept = (id: string, over: Partial<KeptComparison> = {}): KeptComparison => ({
  id,
  name: 'Assets',
  first: { kind: 'list', list: 'l' },
  second: place(node('t', 'acme')),
  listName: 'assets.csv',
  fields: ['serial'],
  ...over,
})

test('comparisons are kept with their lists, in their order, and removed', () => {
  thread.calls.saveComparison({ comparison: kept('1'), text: new Uint8Array([1, 2, 3]) })
  thread.calls.saveComparison({ comparison: kept('2', { first: place('all') }), text: null })
  thread.calls.saveComparison({ comparison: kept('1', { name: 'Again' }), text: new Uint8Array([4]) })
  thread.reopen()
  expect(thread.calls.comparisons(undefined)).toMatchObject([{ id: '1', name: 'Again' }, { id: '2' }])
  expect(thread.calls.comparisonList({ id: '1' }).text).toEqual(new Uint8Array([4]))
  expect(thread.calls.comparisonList({ id: '2' }).text).toBeNull()
  thread.calls.removeComparison({ id: '1' })
  expect(thread.calls.comparisons(undefined)).toHaveLength(1)
})

test('at most fifty are kept, and one that is there can still be changed', () => {
  for (let index = 0; index < 50; index += 1)
    thread.calls.saveComparison({ comparison: kept(String(index)), text: null })
  expect(() => thread.calls.saveComparison({ comparison: kept('more'), text: null })).toThrow('At most 50')
  thread.calls.saveComparison({ comparison: kept('7', { name: 'Changed' }), text: null })
  expect(thread.calls.comparisons(undefined)).toHaveLength(50)
})

test('removing a connection erases the comparisons of its tenants', () => {
  thread.calls.saveComparison({ comparison: kept('1'), text: null })
  thread.calls.saveComparison({ comparison: kept('2', { second: place('all') }), text: null })
  thread.calls.forget({ connection })
  expect(thread.calls.comparisons(undefined)).toMatchObject([{ id: '2' }])
})

test('an id that is a MAC address counts as one, where no column has it', () => {
  read('acme', 1, [fact('00e0db123456', { name: 'A' })])
  thread.calls.giveAssets({ list: 'l', assets: [{ ...emptyAsset, line: 2, mac: '00:E0:DB:12:34:56' }] })
  const { rows } = compared({ kind: 'list', list: 'l' }, place('all'))
  expect(rows).toMatchObject([{ by: 'mac', kinds: ['same'], second: { name: 'A' } }])
})

test('what a tenant’s first sync reads was not there before as far as anybody knows', () => {
  read('acme', 10 * hour, [fact('a')])
  read('acme', 10 * hour + 1000, [fact('a'), fact('b')])
  expect(compared(date('all', 10 * hour), place('all'))).toMatchObject({
    unrecorded: 1,
    counts: { unexpected: 0, same: 1 },
  })
  expect(compared(date('all', 11 * hour - 1), place('all')).counts).toMatchObject({ same: 2 })
})
