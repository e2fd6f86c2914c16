import { randomBytes, randomUUID } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { maxBodyBytes, type LogRow } from '../../../../src-main/team/log/log-store.ts'
import { bodiesOf, readItems, type Item } from '../../../../src-main/team/replica/codec.ts'

const rowsOf = (bodies: readonly Uint8Array[], from = 1): LogRow[] =>
  bodies.map((body, index) => ({
    number: from + index,
    id: randomUUID(),
    entry: randomUUID(),
    term: 1,
    at: 1000,
    role: 'anna',
    body,
  }))

const view: Item = { is: 'call', call: 'saveView', input: { id: 'one', list: [1, Infinity, 'text'] } }
const packed = (value: unknown) => Buffer.concat([Uint8Array.of(0), deflateRawSync(JSON.stringify(value))])

test('an item is read as it was written, an infinite number too', () => {
  const { items, pieces, isNewer } = readItems([], rowsOf(bodiesOf(view)))
  expect(items.map(({ item }) => item)).toEqual([view])
  expect([pieces, isNewer]).toEqual([[], false])
})

test.each([
  ['bytes', new Uint8Array([0, 1, 255])],
  ['a buffer', Buffer.from([0, 1, 255])],
  ['no bytes', new Uint8Array()],
])('%s are bytes again', (_what, form) => {
  const { items } = readItems([], rowsOf(bodiesOf({ is: 'call', call: 'saveSchema', input: { schema: { form } } })))
  expect(items.map(({ item }) => item)).toEqual([
    { is: 'call', call: 'saveSchema', input: { schema: { form: new Uint8Array(form) } } },
  ])
})

test('a long item takes several rows, which may come in several pages', () => {
  const ids = Array.from({ length: 60_000 }, () => randomBytes(32).toString('hex'))
  const rows = rowsOf(bodiesOf({ is: 'call', call: 'departed', input: { ids } }))
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.every(({ body }) => body.length <= maxBodyBytes)).toBe(true)
  const first = readItems([], rows.slice(0, 1))
  expect(first.items).toEqual([])
  const { items } = readItems(first.pieces, [...rows.slice(1), ...rowsOf(bodiesOf(view), 100)])
  expect(items.map(({ item }) => item)).toEqual([{ is: 'call', call: 'departed', input: { ids } }, view])
  expect(items[0]?.id).toBe(rows[0]?.entry)
  expect(items[0]?.row.number).toBe(rows.at(-1)?.number)
})

test('rows that say nothing readable are left out, and what follows is read', () => {
  const broken = [
    Buffer.from('no deflate'),
    Buffer.alloc(0),
    packed('text'),
    packed({ v: 1, is: 'unheard of' }),
    packed({ v: 1, is: 'call', call: 'close', input: {} }),
    packed({ v: 1, is: 'call', call: '__proto__', input: {} }),
    packed({ v: 1, is: 'hello', member: 1 }),
  ]
  const { items } = readItems([], rowsOf([...broken, ...bodiesOf(view)]))
  expect(items.map(({ item }) => item)).toEqual([...broken.map(() => null), view])
})

test('a bomb is left out', () => {
  const bomb = Buffer.concat([Uint8Array.of(0), deflateRawSync(Buffer.alloc(200_000_000, 0x20))])
  expect(bomb.length).toBeLessThan(maxBodyBytes)
  expect(readItems([], rowsOf([bomb])).items[0]?.item).toBeNull()
})

test('rows that go on without an end are given up', () => {
  const endless = Array.from({ length: 600 }, () => Buffer.from([1, 2, 3]))
  const { items, pieces } = readItems([], rowsOf(endless))
  expect(items.map(({ item }) => item)).toEqual([null, null])
  expect(pieces.length).toBeLessThan(256)
})

test('nothing after a row of a newer format is read', () => {
  const rows = rowsOf([...bodiesOf(view), packed({ v: 2, is: 'call', call: 'saveView', input: {} }), ...bodiesOf(view)])
  const { items, isNewer } = readItems([], rows)
  expect(items).toHaveLength(1)
  expect(isNewer).toBe(true)
})
