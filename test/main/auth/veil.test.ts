import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { createVeil, withoutCredentials } from '../../../src-main/auth/veil.ts'

const secret = 'kœnig+/ q"9\\secret'

test.each<[string, (text: string) => string]>([
  ['as it is', (text) => text],
  ['in JSON', (text) => JSON.stringify({ client_secret: text })],
  ['in an address', (text) => `https://login.test/?s=${encodeURIComponent(text)}`],
  ['in an address, in small letters', (text) => encodeURIComponent(text).replaceAll(/%../gu, (code) => code.toLowerCase())],
  ['in a form', (text) => encodeURIComponent(text).replaceAll('%20', '+')],
])('a secret is hidden %s', (_name, form) => {
  const veil = createVeil()
  veil.cover(secret)
  expect(veil.hide(`before ${form(secret)} after`)).toBe(`before ${form('[hidden]').replaceAll(/%5B/giu, '[').replaceAll(/%5D/giu, ']')} after`)
})

test('it is hidden in base64 wherever it begins, and with whatever stands around it', () => {
  fc.assert(fc.property(fc.string({ minLength: 10, maxLength: 40 }), fc.string({ maxLength: 7 }), fc.string({ maxLength: 7 }), fc.constantFrom('base64' as const, 'base64url' as const), (secret, before, after, form) => {
    const veil = createVeil()
    veil.cover(secret)
    const told = Buffer.from(`${before}${secret}${after}`).toString(form)
    const shown = veil.hide(told)
    expect(shown).toContain('[hidden]')
    // What is left of it are the letters that its neighbours share with it.
    expect(shown.replace('[hidden]', '').length).toBeLessThanOrEqual(Math.ceil((Buffer.byteLength(before) + Buffer.byteLength(after)) * 4 / 3) + 8)
  }))
})

test('what is short stands in ordinary words, and the last three are known', () => {
  const veil = createVeil()
  for (const each of ['live', 'first-secret', 'second-secret', 'third-secret', 'fourth-secret']) veil.cover(each)
  expect(veil.hide('live: first-secret second-secret third-secret fourth-secret')).toBe('live: first-secret [hidden] [hidden] [hidden]')
})

test.each([
  ['a token', 'got eyJhbGciOiJI.eyJzdWIi.c2ln-_x', 'got [token]'],
  ['a bearer', 'Authorization: Bearer abc123456 was refused', 'Authorization: Bearer [hidden] was refused'],
  ['basic authentication', 'Proxy-Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Proxy-Authorization: Basic [hidden]'],
  ['a form', 'client_secret=hunter22&grant_type=x', 'client_secret=[hidden]&grant_type=x'],
  ['JSON', '{"password": "hunter22","a":1}', '{"password": "[hidden]","a":1}'],
  ['JSON in JSON', String.raw`{\"access_token\":\"hunter22\"}`, String.raw`{\"access_token\":\"[hidden]\"}`],
  ['an address', 'http://anna:hunter22@proxy.test:3128/', 'http://[hidden]@proxy.test:3128/'],
])('%s is known by what it looks like', (_name, text, shown) => expect(withoutCredentials(text)).toBe(shown))

test.each([
  ['https://api.test/graphql?api_key=AKIA12&b=%41 next', 'https://api.test/graphql?api_key=[hidden]&b=[hidden] next'],
  ['no answer at wss://api.test/?code=zz9.', 'no answer at wss://api.test/?code=[hidden].'],
  ['(https://api.test/x?k=a=b==)', '(https://api.test/x?k=[hidden])'],
  ['https://api.test/?k=it\'s|a`b', 'https://api.test/?k=[hidden]'],
  ['{"portal": "https://p.test/d/{id}?k=portalkey123","x": 1}', '{"portal": "https://p.test/d/{id}?k=[hidden]","x": 1}'],
  [String.raw`{\"at\":\"https://p.test/?k=\u0041\\b\",\"x\":1}`, String.raw`{\"at\":\"https://p.test/?k=[hidden]\",\"x\":1}`],
  ['https://p.test/{tenant}?id={id}&t={tenant}&k=1', 'https://p.test/{tenant}?id={id}&t={tenant}&k=[hidden]'],
  ['https://p.test/?justAToken', 'https://p.test/?[hidden]'],
  ['https://p.test/?a=1?b=2#c=3', 'https://p.test/?a=[hidden]#c=[hidden]'],
  ['https://p.test/#/devices/{id}?k=1&2', 'https://p.test/#/devices/{id}?k=[hidden]&[hidden]'],
  ['https://p.test/?aud=‹connection Acme Nord›bank', 'https://p.test/?aud=[hidden]'],
  ['https://‹host p›/?aud=1', 'https://‹host p›/?aud=[hidden]'],
  ['POST /graphql?api_key=AKIA12 failed', 'POST /graphql?api_key=[hidden] failed'],
])('of the parameters of an address only the names are told: %s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown)
  expect(withoutCredentials(shown)).toBe(shown)
})

test('a long text of nothing but begins of addresses is gone through once', () => {
  const hostile = 'a://'.repeat(200_000)
  expect(withoutCredentials(hostile)).toBe(hostile)
  expect(withoutCredentials(`${'a.'.repeat(200_000)}?${'a&'.repeat(200_000)}`)).toContain('a.a.a')
  expect(withoutCredentials(`https://x/?${'a&'.repeat(100_000)}#${'‹a›'.repeat(10_000)}`)).toMatch(/^https:\/\/x\/\?\[hidden\]&/u)
})

test('ordinary words stay', () => {
  const text = 'the client secret was refused; a basic reading; see https://login.test/a@b, or write to ops@example.com. Is it there? Is a = b?'
  expect(withoutCredentials(text)).toBe(text)
})
