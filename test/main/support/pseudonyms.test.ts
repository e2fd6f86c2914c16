import { expect, test } from 'vitest'
import { looksLikeHost, withoutMarks, type Known } from '../../../src-main/support/names/name-shapes.ts'
import { mapJsonTexts } from '../../../src-main/support/bundle/files.ts'
import {
  createNames,
  createProxyNames,
  hostIn,
  learnRecord,
  namesInKey,
  namesOf,
} from '../../../src-main/support/names/names.ts'
import { createPseudonyms } from '../../../src-main/support/names/pseudonyms.ts'

const known: Known[] = [
  { kind: 'host', name: 'api.acme.test' },
  { kind: 'host', name: 'intranet' },
  { kind: 'tenant', name: 'Ivex' },
  { kind: 'tenant', name: 'Ac"me (EU) $1' },
  { kind: 'connection', name: '' },
  { kind: 'connection', name: 'Nord' },
  { kind: 'connection', name: 'Nord Licht' },
]
const replace = createPseudonyms('a key', known)

test('names are replaced as whole words, the longest first, in any case', () => {
  const text = replace(
    'https://API.acme.test/graphql: *.acme.test is for another host. Ivex was received. Ac"me (EU) $1',
  )
  expect(text).not.toMatch(/acme|\bIvex\b|EU/iu)
  expect(text).toMatch(
    /^https:\/\/host-[\da-f]{8}\/graphql: \*\.host-[\da-f]{8} is for another host\. tenant-[\da-f]{8} was received\. tenant-[\da-f]{8}$/u,
  )
  expect(replace(JSON.stringify({ name: 'Ac"me (EU) $1' }))).toMatch(/^\{"name":"tenant-[\da-f]{8}"\}$/u)
  // A name may begin as an address.
  expect(
    createPseudonyms('a key', [{ kind: 'connection', name: 'https://evil.corp/Käse Straße/x' }])(
      'https://evil.corp/Käse Straße/x: reading failed',
    ),
  ).toMatch(/^connection-[\da-f]{8}: reading failed$/u)
  expect(replace('NORD LICHT: nord, Nordic')).toMatch(/^connection-[\da-f]{8}: connection-[\da-f]{8}, Nordic$/u)
})

test('they are the same each time with one key, and others with another', () => {
  expect(replace('Ivex')).toBe(createPseudonyms('a key', [{ kind: 'tenant', name: 'Ivex' }])('Ivex'))
  expect(createPseudonyms('another key', known)('Ivex')).not.toBe(replace('Ivex'))
  expect(createPseudonyms('a key', [{ kind: 'connection', name: 'Ivex' }])('Ivex')).not.toBe(replace('Ivex'))
})

test('unknown hosts and network addresses are found by their form', () => {
  expect(replace('wss://other.test:8443/x and https://[fe80::1]/')).toMatch(
    /^wss:\/\/host-[\da-f]{8}:8443\/path-[\da-f]{8} and https:\/\/address-[\da-f]{8}\/$/u,
  )
  expect(replace('no way to 10.1.22.3, or to 10.1.22.3.')).toMatch(/^no way to (address-[\da-f]{8}), or to \1\.$/u)
  const sentences = [
    'the proxy wpad:8080 wants',
    'Nothing answers: feed.acme.test.',
    '"proxy": "proxy.acme.test:3128"',
    'HTTP 401 from API.Acme.Test',
    'DNS:*.eu.acme.test',
    'ann@mail.acme.test',
    'https://ann:[hidden]@wpad/',
    'to 2001:db8::7, in time',
    'https://{tenant}.acme.test/x',
    'live.intranet',
    'intranet',
    'MÜNCHEN.example',
    'no answer at feed.acme.test (timeout)',
  ]
  for (const text of sentences) expect(replace(text), text).not.toMatch(/wpad|acme|mail|intranet|2001|db8|münchen/iu)
  expect(replace('User Anna.Berg+x@mail.acme.test is blocked, ask it@acme.test.')).toMatch(
    /^User address-[\da-f]{8} is blocked, ask address-[\da-f]{8}\.$/u,
  )
  // In an address or not, it is the same host.
  expect(replace('https://feed.acme.test/')).toBe(`https://${replace('feed.acme.test')}/`)
})

test('text of a similar form stays: localhost, versions, times, files, a stack, calls, fields', () => {
  const texts = [
    'https://127.0.0.1:4000/',
    'wss://localhost/',
    'http://[::1]:1/',
    '127.0.0.1',
    '13.6.233.17-node.53',
    'Chromium 153.0.6943.12',
    '1.2.3.4.5',
    'localhost:4000',
    '::1',
    '2026-11-22T12:30:45.123Z info  12:30:45',
    'settings.damaged-2026.json and cache.db-wal',
    'at Map.forEach (<anonymous>)',
    'at Foo.bar (file:///x/main.js:12:34)',
    'main.js:1234',
    'AA:BB:CC:DD:EE:FF:00:11:22',
    '"attempt": 12',
    'e.g. this. And that',
    'graphql-ws 6.4.2',
  ]
  for (const text of texts) expect(replace(text)).toBe(text)
  const plain = createPseudonyms('a key', known, new Set(['notifications.pause', 'user.email']))
  expect(plain('notifications.pause failed; new: User.email, x.email')).toMatch(
    /^notifications\.pause failed; new: User\.email, host-[\da-f]{8}$/u,
  )
})

test('names marked in the log are replaced when they are no longer known', () => {
  const names = createNames()
  const lines: string[] = []
  const log = names.marking((_level, text) => void lines.push(text))
  log('info', 'Nord Licht: too early')
  names.learn(known)
  names.learn([
    { kind: 'client', name: 'id-4711' },
    { kind: 'connection', name: 'Quer ‹x›' },
  ])
  log(
    'info',
    'Nord Licht: "nord" (id-4711) of Ivex was not received by intranet from api.acme.test, https://intranet/Nord: Quer ‹x›',
  )
  expect(lines[0]).toBe('Nord Licht: too early')
  expect(lines[1]).toBe(
    '‹connection Nord Licht›: "‹connection nord›" (‹client id-4711›) of ‹tenant Ivex› was not received by ‹host intranet› from api.acme.test, https://intranet/‹connection Nord›: ‹connection Quer \'x\'›',
  )
  const later = createPseudonyms('a key', [])
  expect(later(lines[1] ?? '')).not.toMatch(/nord|licht|4711|\bivex\b|intranet|acme|quer/iu)
  // A bundle from before it was removed has the same names.
  expect(later(lines[1] ?? '').split(':')[0]).toBe(replace('Nord Licht'))
  expect(withoutMarks(lines[1] ?? '')).toContain('Nord Licht: "nord" (id-4711) of Ivex')
  // A line that was cut within a name.
  expect(later('Ive ‹connection Nord Li\nNord')).toMatch(/^Ive connection-[\da-f]{8}\nNord$/u)
  expect(names.all()).toHaveLength(known.length + 1)
})

test('a host is learned from the URL that it is in', () => {
  expect(
    [
      'https://eu.api.acme.test:8443/x',
      'Wpad:8080',
      'acme.test',
      'https://127.0.0.1/',
      'https://localhost/',
      'https://[::1]/',
      'not one',
      '',
    ]
      .flatMap(hostIn)
      .map(({ name }) => name),
  ).toEqual(['eu.api.acme.test', 'wpad', 'acme.test'])
  expect(['acme.test', 'a.b.c-d', 'acme', 'muster.log', 'Acme.Test GmbH', '1.2.3'].map(looksLikeHost)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

const short: Known[] = [
  { kind: 'connection', name: 'AT' },
  { kind: 'client', name: '2026' },
  { kind: 'client', name: '2026-11-22' },
  { kind: 'host', name: 'eu' },
  { kind: 'tenant', name: 'EU!' },
  { kind: 'connection', name: 'At AT' },
]

test('a name that is short is replaced only where it was marked', () => {
  const names = createNames()
  names.learn(short)
  const replaced = createPseudonyms('a key', short)
  const log = '2026-11-22T00:00:00.000Z info  found at the start: stands in the EU, state 2026'
  for (const text of [names.marked(log), log]) expect(replaced(text)).toBe(log)
  expect(replaced('https://eu/x of eu:443, At AT')).toMatch(
    /^https:\/\/host-[\da-f]{8}\/path-[\da-f]{8} of host-[\da-f]{8}:443, connection-[\da-f]{8}$/u,
  )
  expect(names.marked('AT: live: connecting by AT')).toBe('‹connection AT›: live: connecting by AT')
  expect(names.marked('at: live: connecting')).toBe('at: live: connecting')
  expect(replaced(names.marked('AT: live: at work'))).toMatch(/^connection-[\da-f]{8}: live: at work$/u)
})

test.each([
  'Name',
  'state',
  'live',
  'core',
  'live state',
  'Nord',
  'Acme',
  'id-4711',
  '東京',
  '🏢',
  '123456789',
  'x1y2',
])('the name %s is replaced wherever it stands, also where it is an ordinary word', (name) => {
  const names = createNames()
  names.learn([{ kind: 'tenant', name }])
  const text = `(${name}) at: ${name.toUpperCase()}`
  for (const written of [names.marked(text), text])
    expect(createPseudonyms('a key', [{ kind: 'tenant', name }])(written)).toMatch(/^\((tenant-[\da-f]{8})\) at: \1$/u)
})

test('in JSON texts are changed and keys never, also where one looks like the other', () => {
  const value = {
    at: 'at',
    'a"b': ['Nord', 'a "quoted" Nord\n, "at": "at"'],
    name: '',
    nord: { Nord: 1 },
    empty: {},
    none: null,
  }
  const changed = mapJsonTexts(`${JSON.stringify(value, null, 2)}\n`, (text) => text.replaceAll(/nord|at/giu, 'x'))
  expect(JSON.parse(changed)).toEqual({
    at: 'x',
    'a"b': ['x', 'a "quoted" x\n, "x": "x"'],
    name: '',
    nord: { Nord: 1 },
    empty: {},
    none: null,
  })
})

test('the path of a URL may name a customer: all of it but well-known parts is replaced', () => {
  expect(replace('https://api.acme.test/8f1c0d8e-1/oauth2/v2.0/token?aud=[hidden]')).toMatch(
    /^https:\/\/host-[\da-f]{8}\/path-[\da-f]{8}\/oauth2\/v2\.0\/token\?aud=\[hidden\]$/u,
  )
  expect(replace('wss://intranet:4000/contosobank/graphql, (https://intranet/Updates/latest-linux.yml)')).toMatch(
    /^wss:\/\/host-[\da-f]{8}:4000\/path-[\da-f]{8}\/graphql, \(https:\/\/host-[\da-f]{8}\/path-[\da-f]{8}\/latest-linux\.yml\)$/u,
  )
  expect(replace('https://intranet/contosobank/d/{id}#/contosobank/{tenant}')).not.toMatch(/contoso/u)
  const record = {
    name: 'x',
    clientId: 'y',
    tokenUrl: 'https://login.test/8f1c0d8e-1/oauth2/token',
    graphqlUrl: 'https://api.test/contoso%20bank/graphql',
    subscriptionUrl: 'wss://api.test/graphql',
    portal: '',
  }
  expect(namesOf(record).flatMap(({ kind, name }) => (kind === 'path' ? [name] : []))).toEqual([
    '8f1c0d8e-1',
    'contoso bank',
  ])
  const known = createPseudonyms('a key', namesOf(record))
  expect(known('AADSTS: directory 8f1c0d8e-1; POST /contoso%20bank/graphql')).not.toMatch(/8f1c|contoso/u)
  // Marked by the log, in an address or known: one name.
  expect(known('https://x.test/‹path contoso bank›/graphql').split('/')[3]).toBe(known('contoso bank'))
})

test('a long text of marks and URLs is scanned in one pass', () => {
  const marks = `https://${'‹a›'.repeat(5_000)}`
  expect(replace(marks)).toBe(marks)
  expect(replace(`${'https://x'.repeat(3_000)} ${'‹host a'.repeat(2_000)}`)).toContain('host-')
})

test('the keys of devices and places name service and tenant also when these are gone', () => {
  const keys = [
    'intranet%3A4000%2Fgraphql/Acme%20%26%20Co/d-1',
    'm:api.acme.test%2Fx/ten-77/=/room',
    't:intranet/ten-78',
  ]
  expect(keys.flatMap(namesInKey).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'host intranet',
    'tenant Acme & Co',
    'host api.acme.test',
    'tenant ten-77',
    'host intranet',
    'tenant ten-78',
  ])
  const text = createPseudonyms('a key', keys.flatMap(namesInKey))(JSON.stringify({ keys, name: 'Acme & Co' }))
  expect(text).not.toMatch(/intranet|acme|ten-7/iu)
  expect(text).toContain('/d-1')
  expect(['100%/x', ''].flatMap(namesInKey).map(({ name }) => name)).toEqual([''])
})

test("each host is asked for its proxy once, and the proxy's name is learned", async () => {
  const asked: string[] = []
  const names = createNames()
  const learnProxiesFor = createProxyNames(names, {
    proxyOf: async (address) => {
      asked.push(new URL(address).host)
      if (address.includes('unknown')) throw new Error('nobody can tell')
      return address.includes('direct') ? null : 'gatekeeper:3128'
    },
  })
  const record = (host: string) => ({
    name: host,
    clientId: 'id',
    tokenUrl: `https://${host}/token`,
    graphqlUrl: `https://${host}/graphql`,
    subscriptionUrl: `wss://${host}/graphql`,
    portal: '',
  })
  for (const host of ['one.test', 'one.test', 'direct.test', 'unknown.test'])
    learnRecord(names, learnProxiesFor, record(host))
  await expect
    .poll(() => names.all().filter(({ name }) => name === 'gatekeeper'))
    .toEqual([{ kind: 'host', name: 'gatekeeper' }])
  expect(asked.toSorted()).toEqual([
    'direct.test',
    'direct.test',
    'one.test',
    'one.test',
    'unknown.test',
    'unknown.test',
  ])
  // Another network may have another proxy.
  learnRecord(names, learnProxiesFor, record('one.test'))
  expect(asked).toHaveLength(8)
})
