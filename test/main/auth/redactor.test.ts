import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { readErrors, redacted } from '../../../src-main/api/classify.ts'
import { createRedactor, withheldText, withoutCredentials } from '../../../src-main/auth/redactor.ts'

const secret = 'kœnig+/ q"9\\secret'

test.each<[string, (text: string) => string]>([
  ['as it is', (text) => text],
  ['in JSON', (text) => JSON.stringify({ client_secret: text })],
  ['in an address', (text) => `https://login.test/?s=${encodeURIComponent(text)}`],
  [
    'in an address, in small letters',
    (text) => encodeURIComponent(text).replaceAll(/%../gu, (code) => code.toLowerCase()),
  ],
  ['in a form', (text) => encodeURIComponent(text).replaceAll('%20', '+')],
])('a secret is redacted %s', (_name, form) => {
  const redactor = createRedactor()
  redactor.register(secret)
  expect(redactor.redact(`before ${form(secret)} after`)).toBe(
    `before ${form('[hidden]').replaceAll(/%5B/giu, '[').replaceAll(/%5D/giu, ']')} after`,
  )
})

test('it is redacted in base64 at every offset, and with any text around it', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 10, maxLength: 40 }),
      fc.string({ maxLength: 7 }),
      fc.string({ maxLength: 7 }),
      fc.constantFrom('base64' as const, 'base64url' as const),
      (secret, before, after, form) => {
        const redactor = createRedactor()
        redactor.register(secret)
        const told = Buffer.from(`${before}${secret}${after}`).toString(form)
        const shown = redactor.redact(told)
        expect(shown).toContain('[hidden]')
        // What is left of it are the letters that its neighbours share with it.
        expect(shown.replace('[hidden]', '').length).toBeLessThanOrEqual(
          Math.ceil(((Buffer.byteLength(before) + Buffer.byteLength(after)) * 4) / 3) + 8,
        )
      },
    ),
  )
})

test('short texts are ordinary words, and the last three secrets are known', () => {
  const redactor = createRedactor()
  for (const each of ['live', 'first-secret', 'second-secret', 'third-secret', 'fourth-secret']) redactor.register(each)
  expect(redactor.redact('live: first-secret second-secret third-secret fourth-secret')).toBe(
    'live: first-secret [hidden] [hidden] [hidden]',
  )
})

const held = 'Zw8kQ2pV7xNb-right_One'
const spread = (text: string, by: string) => [...text].join(by)
const lookAlike = (text: string) =>
  text.replaceAll('p', 'р').replaceAll('x', 'х').replaceAll('e', 'е').replaceAll('O', 'Ο')

test.each<[string, (text: string) => string]>([
  ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ['in hexadecimal, byte by byte', (text) => [...Buffer.from(text)].map((byte) => `0x${byte.toString(16)}`).join(', ')],
  ['in base64 of base64', (text) => btoa(btoa(text))],
  ['in hexadecimal of base64', (text) => Buffer.from(btoa(text)).toString('hex')],
  ['in base64, backwards', (text) => btoa([...text].toReversed().join(''))],
  ['in HTML entities', (text) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join('')],
  [
    'in HTML entities, hexadecimal',
    (text) => [...text].map((letter) => `&#x${letter.codePointAt(0)?.toString(16)};`).join(''),
  ],
  [
    'with every letter percent-encoded',
    (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''),
  ],
  [
    'in escapes of JSON',
    (text) => [...text].map((letter) => String.raw`\u00${letter.codePointAt(0)?.toString(16)}`).join(''),
  ],
  ['as numbers', (text) => JSON.stringify([...Buffer.from(text)])],
  ['backwards', (text) => [...text].toReversed().join('')],
  ['without its first letter', (text) => text.slice(1)],
  ['without its last letter', (text) => text.slice(0, -1)],
  ['the first half of it', (text) => text.slice(0, text.length / 2)],
  ['with letters of no width', (text) => spread(text, '\u200B')],
  ['with fillers that count as letters', (text) => spread(text, '\u3164')],
  ['with spaces', (text) => spread(text, ' ')],
  ['in capitals', (text) => text.toUpperCase()],
  [
    'in full width',
    (text) => [...text].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
  ],
  [
    'in bold letters of mathematics',
    (text) =>
      [...text]
        .map((letter) => (/[a-z]/u.test(letter) ? String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97) : letter))
        .join(''),
  ],
  ['with letters that look alike', lookAlike],
  ['with accents', (text) => spread(text, '\u0301')],
])('a message that may repeat a secret %s is not shown', (_name, form) => {
  const redactor = createRedactor()
  redactor.register(held)
  expect(redactor.safeText(`no rights for "${form(held)}", sorry`)).toBe(withheldText)
})

test("a service's message about anything else is shown unchanged", () => {
  const redactor = createRedactor()
  redactor.register(held)
  redactor.register('client-secret-of-the-demo')
  for (const safeText of [
    'GraphQL query cost of 12000 points exceeds maximum cost limit of 10000 points',
    'Cannot query field "serialNumber" on type "Device".',
    'the client secret was refused',
    'pageSize must be between 1 and 100',
    '0a1b2c3d-4e5f-6789-abcd-ef0123456789 not found',
    'Zürich: 東京 Привет',
  ])
    expect(redactor.safeText(safeText)).toBe(safeText)
  expect(redactor.safeText(`given ${held} once`)).toBe('given [hidden] once')
})

test('a secret spread over the messages of one answer redacts all of them', () => {
  const redactor = createRedactor()
  redactor.register(held)
  const errors = (...messages: string[]) =>
    readErrors(
      messages.map((message) => ({ message })),
      redactor.safeText,
    ).map(({ message }) => message)
  const [one, other] = [held.slice(0, 5), held.slice(5, 11)]
  expect(errors(`no: ${one}`, `${other} is it`)).toEqual([withheldText, withheldText])
  expect(errors(...held)).toEqual(
    [...held]
      .slice(0, 20)
      .map(() => withheldText)
      .concat([...held].slice(20).map(() => '')),
  )
  expect(errors('no rights', `given ${held}`)).toEqual(['no rights', 'given [hidden]'])
})

test.each([
  ['a token', 'got eyJhbGciOiJI.eyJzdWIi.c2ln-_x', 'got [token]'],
  ['a bearer', 'Authorization: Bearer abc123456 was refused', 'Authorization: Bearer [hidden] was refused'],
  ['basic authentication', 'Proxy-Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Proxy-Authorization: Basic [hidden]'],
  ['a form', 'client_secret=hunter22&grant_type=x', 'client_secret=[hidden]&grant_type=x'],
  ['JSON', '{"password": "hunter22","a":1}', '{"password": "[hidden]","a":1}'],
  ['JSON in JSON', String.raw`{\"access_token\":\"hunter22\"}`, String.raw`{\"access_token\":\"[hidden]\"}`],
  ['an address', 'http://anna:hunter22@proxy.test:3128/', 'http://[hidden]@proxy.test:3128/'],
])('%s is recognised by its form', (_name, text, shown) => expect(withoutCredentials(text)).toBe(shown))

test.each([
  ['https://api.test/graphql?api_key=AKIA12&b=%41 next', 'https://api.test/graphql?api_key=[hidden]&b=[hidden] next'],
  ['no answer at wss://api.test/?code=zz9.', 'no answer at wss://api.test/?code=[hidden].'],
  ['(https://api.test/x?k=a=b==)', '(https://api.test/x?k=[hidden])'],
  ["https://api.test/?k=it's|a`b", 'https://api.test/?k=[hidden]'],
  [
    '{"portal": "https://p.test/d/{id}?k=portalkey123","x": 1}',
    '{"portal": "https://p.test/d/{id}?k=[hidden]","x": 1}',
  ],
  [
    String.raw`{\"at\":\"https://p.test/?k=\u0041\\b\",\"x\":1}`,
    String.raw`{\"at\":\"https://p.test/?k=[hidden]\",\"x\":1}`,
  ],
  ['https://p.test/{tenant}?id={id}&t={tenant}&k=1', 'https://p.test/{tenant}?id={id}&t={tenant}&k=[hidden]'],
  ['https://p.test/?justAToken', 'https://p.test/?[hidden]'],
  ['https://p.test/?a=1?b=2#c=3', 'https://p.test/?a=[hidden]#c=[hidden]'],
  ['https://p.test/#/devices/{id}?k=1&2', 'https://p.test/#/devices/{id}?k=[hidden]&[hidden]'],
  ['https://p.test/?aud=‹connection Acme Nord›bank', 'https://p.test/?aud=[hidden]'],
  ['https://‹host p›/?aud=1', 'https://‹host p›/?aud=[hidden]'],
  ['POST /graphql?api_key=AKIA12 failed', 'POST /graphql?api_key=[hidden] failed'],
])('of the parameters of a URL only the names are shown (%#)', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown)
  expect(withoutCredentials(shown)).toBe(shown)
})

test('a long text of many URL beginnings is scanned once', () => {
  const hostile = 'a://'.repeat(200_000)
  expect(withoutCredentials(hostile)).toBe(hostile)
  expect(withoutCredentials(`${'a.'.repeat(200_000)}?${'a&'.repeat(200_000)}`)).toContain('a.a.a')
  expect(withoutCredentials(`https://x/?${'a&'.repeat(100_000)}#${'‹a›'.repeat(10_000)}`)).toMatch(
    /^https:\/\/x\/\?\[hidden\]&/u,
  )
})

test.each(['eyJ', 'eyJeyJeyJ.', 'eyJ-\\', 'a+', '‹', 'https://‹', '://a'])(
  'a text of 300 kB of nothing but %s is scanned once',
  (unit) => {
    const hostile = unit.repeat(300_000 / unit.length)
    const before = process.threadCpuUsage()
    withoutCredentials(hostile)
    redacted(hostile)
    // 17 to 21 s it took; the bound is far from what it takes now.
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000)
  },
)

test('several tokens in a row are all redacted, with the text between them', () => {
  expect(
    withoutCredentials('a eyJhbGciOi.eyJzdWIi.c2ln-_x, eyJhbGciOi.x. and x.eyJhbGciOi.eyJzdWIi.sig.end eyJ.a eyJab.c'),
  ).toBe('a [token], [token] and x.[token].end eyJ.a eyJab.c')
})

test('ordinary words stay', () => {
  const text =
    'the client secret was refused; a basic reading; see https://login.test/a@b, or write to ops@example.com. Is it there? Is a = b?'
  expect(withoutCredentials(text)).toBe(text)
})
