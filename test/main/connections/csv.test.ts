import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv, csvColumns, writeCsv } from '../../../src-main/connections/import/csv.ts'

const pem = '-----BEGIN CERTIFICATE-----\nMIIB,"x"\n-----END CERTIFICATE-----\n'
const read = (text: string) => readCsv(text).lines

test.each([
  ['commas', 'name,client_id\nAcme,me\n'],
  ['tabs, as pasted from a spreadsheet', 'name\tclient_id\nAcme\tme'],
  ['semicolons, as a German spreadsheet saves it', 'name;client_id\r\nAcme;me\r\n'],
  ['columns in another order and case', 'Client ID,NAME\nme,Acme'],
  ['a byte order mark and CRLF', '\uFEFFname,client_id\r\nAcme,me\r\n'],
  ['lone carriage returns', 'name,client_id\rAcme,me\r'],
  ['quoted heads', '"name","client-id"\n"Acme","me"'],
])('reads a list with %s', (_what, text) => {
  expect(read(text)).toEqual([{ line: 2, cells: { name: 'Acme', clientId: 'me' }, problem: null }])
})

test('a cell may hold line breaks, quotes and dividers', () => {
  expect(
    read(`name,ca,client_id\r\nAcme,"${pem.replaceAll('"', '""').replaceAll('\n', '\r\n')}",me\r\nBerg,,you`),
  ).toEqual([
    { line: 2, cells: { name: 'Acme', ca: pem, clientId: 'me' }, problem: null },
    { line: 3, cells: { name: 'Berg', ca: '', clientId: 'you' }, problem: null },
  ])
})

test('lines are counted as a spreadsheet does, empty ones too', () => {
  expect(read('\n\nname,ca\n\nAcme,"1\n2\n3"\n,,\nBerg,').map(({ line, cells }) => [line, cells.name])).toEqual([
    [5, 'Acme'],
    [7, 'Berg'],
  ])
})

test('unknown columns are reported, and a short line lacks its last cells', () => {
  const sheet = readCsv('name,Colour,client_id,,ca\nAcme,red,me\n')
  expect(sheet.ignored).toEqual(['Colour'])
  expect(sheet.lines).toEqual([{ line: 2, cells: { name: 'Acme', clientId: 'me' }, problem: null }])
})

test.each([
  ['', /^text: The first line must name the columns/],
  ['Acme,https://login.test/oauth/token', /^text: The first line must name the columns/],
  ['token_url,client_id\nx,y', /^text: The first line must name the columns/],
  ['name,client_id,Name\nx,y,z', /^text: The column “name” is there twice\.$/],
  ['n\0a\0m\0e\0', /^text: This is not text in UTF-8/],
  [`name\n${'x\n'.repeat(10_001)}`, /^text: There are more than 10,000 lines\. Import the list in parts\.$/],
])('a text that is no list is rejected as a whole (%#)', (text, detail) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ fault: { kind: 'input', detail: expect.stringMatching(detail) } }),
  )
})

test.each([
  [
    'name,client_secret\nAcme,hunter2,left over',
    'There are 3 cells, and the head has 2. Quote a cell that holds the divider.',
  ],
  [
    'name,client_secret\nAcme,"hunter2\nBerg,x',
    'A quote is opened here and never closed: the lines after it cannot be read.',
  ],
  ['name,client_secret\nAcme,"hunter2"x"\n', 'The quotes of this line do not fit together.'],
  [
    'name,client_secret\nAcme,hunter2\uFFFD',
    'client_secret: It holds bytes that are no UTF-8 text. Save the list as CSV in UTF-8.',
  ],
])('a line that cannot be read says why, without its cells (%#)', (text, problem) => {
  expect(read(text)).toMatchObject([{ line: 2, problem }])
  expect(problem).not.toContain('hunter2')
})

test('a quote in the middle of a cell is a quote and nothing more', () => {
  expect(read('name,ca\nAcme,a"b\nBerg,\n').map(({ cells, problem }) => [cells.ca, problem])).toEqual([
    ['a"b', null],
    ['', null],
  ])
})

const input = {
  id: null,
  name: '=cmd|calc',
  tokenUrl: '+1',
  graphqlUrl: '-2',
  subscriptionUrl: '@x',
  clientId: '\tx',
  ca: pem,
  subscription: '\nx',
  portal: "'=x",
}

test('no written cell is a formula to a spreadsheet, and reading restores it', () => {
  const text = writeCsv([input])
  expect(text).toBe(
    `\uFEFF${Object.keys(csvColumns).join(',')}\r\n'=cmd|calc,'+1,'-2,'@x,"'\tx",,"'${pem.replaceAll('"', '""')}","'\nx",''=x\r\n`,
  )
  const { id: _id, ...cells } = input
  expect(read(text)).toEqual([{ line: 2, cells: { ...cells, clientSecret: '' }, problem: null }])
})

test('a secret is read unchanged', () => {
  expect(read("name,client_secret\nAcme,'=x")[0]?.cells.clientSecret).toBe("'=x")
})

test('any written list is read back the same', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', "'", '=', '-', '+', '@', ' ', 'ä', '{'),
  })
  const cells = fc.record({
    name: text.map((name) => `n${name}`),
    tokenUrl: text,
    graphqlUrl: text,
    subscriptionUrl: text,
    clientId: text,
    ca: text,
    subscription: text,
    portal: text,
  })
  fc.assert(
    fc.property(fc.array(cells, { maxLength: 5 }), (list) => {
      expect(read(writeCsv(list.map((each) => ({ id: null, ...each })))).map((line) => line.cells)).toEqual(
        list.map((each) => ({ ...each, clientSecret: '' })),
      )
    }),
  )
})
