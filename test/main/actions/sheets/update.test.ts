import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyOf, openWorld, query } from './sheet-world.ts'

let world: ReturnType<typeof openWorld>
beforeEach(() => {
  world = openWorld()
  world.devices([
    { id: 'a' },
    { id: 'b' },
    { id: 'c', site: { id: 's2', name: 'Paris' }, room: { id: 'r2', name: 'Room 2' } },
    { id: 'twin' },
  ])
  world.devices([{ id: 'twin', name: 'Other' }], 'lab')
})
afterEach(() => world.close())

const input = (detail: string) => ({ fault: { kind: 'input', detail: expect.stringContaining(detail) } })
const update = (text: string) => world.sheets.prepare({ kind: 'update', text })
/** Line, obstacle and new values of each row, in the order of the lines. */
async function lines(text: string) {
  const rows = world.rows(await update(text)).toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  return rows.map(({ line, obstacle, after }) => [line, obstacle, after] as const)
}

test('names and places are read by id, with a byte order mark, semicolons and quotes', async () => {
  const text = '\uFEFFId;Name;Site;Room;Colour\r\na;"New; ""one""";;\r\n\r\nb;;Paris;Room 2;red\r\n'
  expect(await lines(text)).toEqual([
    [2, null, { name: 'New; "one"' }],
    [4, null, { site: { id: 's2', name: 'Paris' }, room: { id: 'r2', name: 'Room 2' } }],
  ])
  expect((await update(text)).ignored).toEqual(['Colour'])
})

test('an empty cell changes nothing, and a line without any change is unchanged', async () => {
  expect(await lines('id,name,site,room\na,,,\nb,Studio b,Berlin,Room 1\nc,New,Paris,r2')).toEqual([
    [2, 'unchanged', {}],
    [3, 'unchanged', expect.anything()],
    [4, null, { name: 'New' }],
  ])
})

test('unknown devices are gone, and an id in two tenants is ambiguous unless the key is given', async () => {
  expect(await lines(`id,key,name\nnosuch,,New\n,,New\ntwin,,New\ntwin,${keyOf('twin', 'lab')},New`)).toEqual([
    [2, 'gone', {}],
    [3, 'gone', {}],
    [4, 'ambiguous', {}],
    [5, null, { name: 'New' }],
  ])
})

test('the second line for a device is a duplicate', async () => {
  expect((await lines(`id,key,name\na,,One\n,${keyOf('a')},Two`)).map(([line, obstacle]) => [line, obstacle])).toEqual([
    [2, null],
    [3, 'duplicate'],
  ])
})

test('names that are too long are found and cut', async () => {
  const [[, obstacle, { name }] = [0, null, {}]] = await lines(`id,name\na,${'x'.repeat(10_000)}`)
  expect([obstacle, name?.length]).toEqual(['too-long', 256])
})

test('a place is named by its id or by a name that is unique in the tenant', async () => {
  expect(await lines('id,site,room\na,,Twin\nb,Paris,Twin\nc,,r1\ntwin,,')).toEqual([
    [2, 'ambiguous', {}],
    [3, null, { site: { id: 's2', name: 'Paris' }, room: { id: 'r4', name: 'Twin' } }],
    [4, null, { site: { id: 's1', name: 'Berlin' }, room: { id: 'r1', name: 'Room 1' } }],
    [5, 'ambiguous', {}],
  ])
  expect((await lines('id,site\na,Oslo\nb,Nowhere')).map(([, obstacle]) => obstacle)).toEqual([
    'other-tenant',
    'no-place',
  ])
})

test('another site without a room takes the device out of its room', async () => {
  expect(await lines('id,site\na,Paris')).toEqual([[2, null, { site: { id: 's2', name: 'Paris' }, room: null }]])
})

test('an export that is read back changes nothing, whatever the names are', async () => {
  world.devices(['=1+1', '\u202Eabc', ' x ', "'", 'a"b', 'é;,'].map((name, at) => ({ id: `odd${at}`, name })))
  const { text } = world.calls.exportPart({
    query: query(),
    keys: null,
    columns: ['name', 'site', 'room'],
    format: 'csv',
    after: null,
    now: 0,
  })
  const sheet = await update(text)
  expect(sheet.obstacles).toEqual(
    expect.arrayContaining([
      { obstacle: 'ambiguous', devices: 2 },
      { obstacle: 'unchanged', devices: 9 },
    ]),
  )
  expect(sheet.ready).toBe(0)
})

test.each([
  ['', 'id (or key)'],
  ['name,site\nA,B', '“id” is missing'],
  ['id,colour\na,red', 'none of the last three'],
  ['id,name,Name\na,b,c', 'is there twice'],
  ['id,name\na,"never closed\nb,c', 'Line 2: A quote is opened here'],
  ['id,name\na,b,c', 'Line 2: There are 3 cells'],
  ['id,name\na,b\uFFFD', 'Line 2: name: It holds bytes'],
  ['id,name\na,b\0', 'not text in UTF-8'],
])('the text %j is a fault that says why', async (text, detail) => {
  await expect(update(text)).rejects.toMatchObject(input(detail))
})

test('more lines than a job has devices are a fault that says the number', async () => {
  const text = `id,name\n${Array.from({ length: 10_000 }, (_, at) => `d${at},New ${at}\n`).join('')}`
  await expect(update(text)).rejects.toMatchObject(input('more than 5,000 lines'))
})

test('the text is not sent back with the sheet', async () => {
  expect((await update('id,name\na,New')).request).toEqual({ kind: 'update', text: '' })
})
