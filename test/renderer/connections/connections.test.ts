import { describe, expect, test } from 'vitest'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import type { ConnectionInput, ConnectionState } from '../../../src-shared/model/connection.ts'
import { errorsOf, problemsOf, takenProblems } from '../../../src-renderer/connections/form/fields.ts'
import { decoded } from '../../../src-renderer/lib/list-text.ts'
import { ignoredText, secretsText, summary } from '../../../src-renderer/connections/import/import-lines.tsx'
import { grouped } from '../../../src-renderer/connections/list/grouping.ts'
import { firstListing, listed, metricsOf } from '../../../src-renderer/connections/list/listing.ts'
import { reasonText } from '../../../src-renderer/connections/format.ts'
import { faultText } from '../../../src-renderer/lib/format/faults.ts'
import { inputText } from '../../../src-renderer/lib/format/input.ts'
import { numberProblem } from '../../../src-renderer/settings/fields/rows.tsx'

const connection = (name: string, more: Partial<ConnectionState> = {}): ConnectionState => ({
  id: name,
  name,
  demo: false,
  tokenUrl: `https://login.${name}.example/token`,
  graphqlUrl: '',
  subscriptionUrl: '',
  clientId: '',
  hasCa: false,
  hasSubscription: false,
  portal: '',
  paused: false,
  heardAt: null,
  secret: 'keychain',
  link: { state: 'live', since: 0 },
  sync: { state: 'idle' },
  lastEventAt: null,
  lastReadingAt: 5,
  faults: [],
  checks: [],
  ...more,
})
const waiting = { link: { state: 'waiting', attempt: 1, retryAt: 9 } } as const
const metrics = metricsOf(null, [])
const names = (connections: readonly ConnectionState[]) => connections.map(({ name }) => name)

describe('the list of connections', () => {
  const all = [
    connection('berta 10'),
    connection('Berta 9', waiting),
    connection('anton', { paused: true }),
    connection('Cäsar', {
      lastReadingAt: null,
      faults: [{ where: '', fault: { kind: 'connect', detail: '' }, at: 0 }],
    }),
  ]

  test('is sorted by name in natural order, ascending and descending', () => {
    expect(names(listed(all, firstListing, metrics))).toEqual(['anton', 'Berta 9', 'berta 10', 'Cäsar'])
    expect(names(listed(all, { ...firstListing, direction: 'descending' }, metrics))).toEqual([
      'Cäsar',
      'berta 10',
      'Berta 9',
      'anton',
    ])
  })

  test("shows a connection's failed tenants, and how many fail alike", () => {
    const failing = (
      where: string,
      kind: 'forbidden' | 'partial' | 'paging' | 'exhausted',
      tenant: string | null = where,
    ) => ({ where: 'Acme', fault: { kind, detail: '' }, at: 0, ...(tenant !== null && { tenant }) })
    const textOf = (...faults: ConnectionState['faults']) => faultText(connection('a', { faults }))
    expect(textOf(failing('Acme', 'forbidden'))).toEqual({
      title: '1 tenant: These credentials may not see this.',
      more: 0,
    })
    expect(textOf(failing('Acme', 'partial'), failing('Berg', 'partial'), failing('Berg', 'partial'))).toEqual({
      title: '2 tenants: A part of the answer failed.',
      more: 0,
    })
    expect(textOf(failing('Acme', 'partial'), failing('Berg', 'paging'))).toEqual({
      title: '1 tenant: The service’s paging does not end.',
      more: 1,
    })
    expect(textOf(failing('the list of tenants', 'partial', null))).toEqual({
      title: 'A part of the answer failed.',
      more: 0,
    })
    expect([
      textOf(failing('the service', 'exhausted', null)),
      textOf(),
      faultText(connection('a', { paused: true, faults: [failing('Acme', 'forbidden')] })),
    ]).toEqual([null, null, null])
    const partly = connection('zoe', { faults: [failing('Acme', 'partial')] })
    expect(names(listed([connection('anton'), partly], { ...firstListing, column: 'fault' }, metrics))).toEqual([
      'zoe',
      'anton',
    ])
  })

  test('is filtered by text in name or address, and to those with errors', () => {
    expect(names(listed(all, { ...firstListing, text: 'BERTA example' }, metrics))).toEqual(['Berta 9', 'berta 10'])
    expect(names(listed(all, { ...firstListing, faulty: true }, metrics))).toEqual(['Berta 9', 'Cäsar'])
    expect(listed(all, { ...firstListing, faulty: true, text: 'anton' }, metrics)).toEqual([])
  })

  test('by status and by error the urgent ones are first; by sync, those never synced', () => {
    expect(names(listed(all, { ...firstListing, column: 'link' }, metrics))).toEqual([
      'Berta 9',
      'Cäsar',
      'berta 10',
      'anton',
    ])
    expect(names(listed(all, { ...firstListing, column: 'fault' }, metrics))[0]).toBe('Cäsar')
    expect(names(listed(all, { ...firstListing, column: 'reading' }, metrics))[0]).toBe('Cäsar')
  })
})

describe('metrics of connections', () => {
  const gauge = (connections: string[], remaining: number, known = true) =>
    ({ connections, remaining, known }) as unknown as Gauge

  test('devices and offline are those of the connection, points those of its credential set', () => {
    const { devices, offline, points } = metricsOf(new Map([['a', { connected: 3, disconnected: 2, unknown: 1 }]]), [
      gauge(['a', 'b'], 700),
      gauge(['c'], 9, false),
    ])
    expect(['a', 'b'].map((id) => [devices(id), offline(id), points(id)])).toEqual([
      [6, 2, 700],
      [null, null, 700],
    ])
    // A number that the service has not reported is unknown.
    expect(points('c')).toBeNull()
  })

  test('the list is sorted by them, unknown ones before all numbers', () => {
    const counts = new Map([
      ['a', { connected: 3, disconnected: 2, unknown: 1 }],
      ['b', { connected: 90, disconnected: 0, unknown: 0 }],
    ])
    const all = ['a', 'b', 'c'].map((name) => connection(name))
    const sorted = (column: 'devices' | 'offline' | 'points') =>
      names(
        listed(
          all,
          { ...firstListing, column, direction: 'descending' },
          metricsOf(counts, [gauge(['c'], 5), gauge(['b'], 7)]),
        ),
      )
    expect([sorted('devices'), sorted('offline'), sorted('points')]).toEqual([
      ['b', 'a', 'c'],
      ['a', 'b', 'c'],
      ['b', 'c', 'a'],
    ])
  })
})

describe('connections with the same error', () => {
  const failed = (name: string, kind: 'connect' | 'credentials') =>
    connection(name, { faults: [{ where: name, fault: { kind, detail: `particulars of ${name}` }, at: 1 }] })
  const all = [
    connection('well'),
    ...Array.from({ length: 37 }, (_none, index) => failed(`c${index}`, 'connect')),
    failed('d1', 'credentials'),
    failed('d2', 'credentials'),
  ]

  test('are one group, fewer than three are listed one by one', () => {
    const lines = grouped(all, [])
    expect(lines.map((line) => (line.kind === 'group' ? [line.members.length, line.open] : line.id))).toEqual([
      'well',
      [37, false],
      'd1',
      'd2',
    ])
  })

  test('are listed below it when it is open, and a paused one is none of them', () => {
    const [, group] = grouped(all, [])
    const open = grouped(
      [...all, connection('paused', { ...failed('x', 'connect'), id: 'paused', name: 'paused', paused: true })],
      [group?.id ?? ''],
    )
    expect(open.length).toBe(42)
    expect(open.filter((line) => line.kind === 'connection' && line.inGroup)).toHaveLength(37)
  })

  test('without a secret are one group', () => {
    const [line] = grouped(
      ['a', 'b', 'c'].map((name) => connection(name, { secret: 'missing' })),
      [],
    )
    expect(line).toMatchObject({ kind: 'group', title: expect.stringMatching(/secret/iu) })
  })
})

describe('the form', () => {
  const input: ConnectionInput = {
    id: null,
    name: ' ',
    tokenUrl: '',
    graphqlUrl: 'https://a',
    subscriptionUrl: '',
    clientId: '',
    clientSecret: '',
    ca: '',
    subscription: '',
    portal: '',
  }

  test('every missing field is an error at once, the secret only when none is stored', () => {
    expect([...problemsOf(input, { secretKnown: false, named: true }).keys()]).toEqual([
      'name',
      'tokenUrl',
      'subscriptionUrl',
      'clientId',
      'clientSecret',
    ])
    expect([...problemsOf(input, { secretKnown: true, named: true }).keys()]).toEqual([
      'name',
      'tokenUrl',
      'subscriptionUrl',
      'clientId',
    ])
    expect([...problemsOf(input, { secretKnown: true, named: false }).keys()]).toEqual([
      'tokenUrl',
      'subscriptionUrl',
      'clientId',
    ])
  })

  test("every invalid field is an error at once, with the core's message", () => {
    const wrong = {
      ...input,
      name: 'x'.repeat(201),
      tokenUrl: 'login.test/oauth/token',
      graphqlUrl: 'http://api.test/graphql',
      subscriptionUrl: 'https://api.test',
      clientId: 'me',
      portal: 'https://p.test/',
    }
    expect(Object.fromEntries(problemsOf(wrong, { secretKnown: true, named: true }))).toEqual({
      name: 'It is longer than 200 characters.',
      tokenUrl: 'Put https:// before it: https://login.test/oauth/token',
      graphqlUrl: 'The address must begin with https:// as in https://api.test/graphql',
      subscriptionUrl: 'The address must begin with wss:// as in wss://api.test/',
      portal: 'Put {id} where the id of the device belongs.',
    })
  })

  test('a fault names as many fields as it has lines', () => {
    expect([...errorsOf({ kind: 'input', detail: 'graphqlUrl: One.\nportal: Two.' })]).toEqual([
      ['graphqlUrl', 'One.'],
      ['portal', 'Two.'],
    ])
    expect(inputText('graphqlUrl: One.\nportal: Two.')).toBe('GraphQL URL: One. Address of a device’s page: Two.')
    expect(inputText('text: The first line must name the columns: name.')).toBe(
      'The first line must name the columns: name.',
    )
    expect(inputText('There is no text in it.')).toBe('There is no text in it.')
  })

  test('a fault is shown beside its field, else beside none', () => {
    expect([...errorsOf({ kind: 'input', detail: 'portal: Put {id} where the id of the device belongs.' })]).toEqual([
      ['portal', 'Put {id} where the id of the device belongs.'],
    ])
    expect([...errorsOf({ kind: 'ca', detail: '' }).keys()]).toEqual(['ca'])
    expect(errorsOf({ kind: 'storage', detail: 'name: x' }).size).toBe(0)
    expect(errorsOf({ kind: 'input', detail: 'nothing of ours' }).size).toBe(0)
  })
})

describe('an import', () => {
  test('a file is read by its byte order mark, else as UTF-8, else as Western spreadsheets write', () => {
    expect(decoded(new Uint8Array([0xff, 0xfe, 0xe4, 0, 0x3b, 0]))).toBe('ä;')
    expect(decoded(new Uint8Array([0xfe, 0xff, 0, 0xe4]))).toBe('ä')
    expect(decoded(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa4]))).toBe('ä')
    expect(decoded(new Uint8Array([0x4d, 0xfc, 0x6c]))).toBe('Mül')
    expect(decoded(new Uint8Array())).toBe('')
  })

  test('its lines are summed up', () => {
    const line = (what: 'add' | 'change' | 'unchanged' | 'reject') => ({
      line: 2,
      name: '',
      what,
      problem: '',
      lacksSecret: false,
    })
    expect(summary([line('add'), line('add'), line('reject')])).toBe(
      '3 lines: 2 to add, 0 to change, 1 rejected. Nothing is stored yet.',
    )
    expect(summary([line('change'), line('unchanged')])).toBe(
      '2 lines: 0 to add, 1 to change, 1 unchanged, 0 rejected. Nothing is stored yet.',
    )
  })

  test('lines without a secret are counted, before and after they are stored', () => {
    const line = (lacksSecret: boolean) => ({ line: 2, name: '', what: 'add' as const, problem: '', lacksSecret })
    expect([secretsText([line(false)], false), secretsText([line(false)], true)]).toEqual(['', ''])
    expect(secretsText([line(true), line(true)], false)).toBe(
      '2 lines have no client_secret: those connections cannot sign in until you enter one.',
    )
    expect(secretsText([line(true), line(false)], true)).toBe(
      'One has no secret and cannot sign in yet: enter it under Edit.',
    )
  })

  test('unknown columns are named', () => {
    expect([ignoredText([]), ignoredText(['colour'])]).toEqual([
      '',
      'A column is not known and will be ignored: “colour”.',
    ])
    expect(ignoredText(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe(
      '7 columns are not known and will be ignored: “a”, “b”, “c”, “d”, “e” and 2 more.',
    )
  })
})

test('the reason for a missing keychain is given once', () => {
  expect([
    reasonText('this session only: libsecret is not installed'),
    reasonText('this session only'),
    reasonText('odd'),
  ]).toEqual(['libsecret is not installed', 'no keychain', 'odd'])
})

test('a number outside its limits is rejected with them and never changed', () => {
  const range = { min: 5, max: 1440, unit: 'minutes' }
  expect([numberProblem('5', range), numberProblem(' 1440 ', range)]).toEqual([null, null])
  for (const text of ['4', '1441', '', '7.5', '-6', '1e2', 'ten'])
    expect(numberProblem(text, range)).toBe('Enter a whole number from 5 to 1,440 minutes.')
})

test('a name of another connection is an error at its field, and an own one is not', () => {
  const known = [
    { id: 'a', name: 'Acme' },
    { id: 'b', name: 'Acme' },
  ]
  const of = (id: string | null, name: string) => [...takenProblems({ id, name }, known)]
  expect(of(null, 'New')).toEqual([])
  expect(of(null, ' Acme ')).toEqual([['name', 'Another connection has this name.']])
  expect(of('c', 'Acme')).toEqual([['name', 'Another connection has this name.']])
  expect(of('a', 'Acme')).toEqual([])
})
