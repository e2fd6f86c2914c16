import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { certify, makeAuthority } from '../../../src-service/net/certificates.ts'
import { startService } from '../../../src-service/service.ts'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { dig, digAll, pageQuery, plainClient, type Pair } from '../client.ts'
import { freshFolder, managedFolder } from '../storage/folder.ts'

const DAY = 86_400_000
const moment = Date.parse('2026-04-01T12:00:00Z')

async function start(options: ServiceOptions): Promise<Service> {
  const service = await startService({ devices: 30, tenants: 2, ...options })
  onTestFinished(() => service.stop())
  return service
}

const kidOf = (token: string): unknown => decodeProtectedHeader(token).kid
const clientOf = (service: Service, set: Pair) => plainClient(service, { h2: true, set })
const accepted = async (service: Service, set: Pair, token: string): Promise<boolean> =>
  (await clientOf(service, set).ask(token, '{ tenants { id } }')).at('errors') === undefined
async function kids(service: Service, set: Pair): Promise<unknown[]> {
  return digAll(
    (await clientOf(service, set).get(new URL('/.well-known/jwks.json', service.graphqlUrl).href)).json,
    'keys',
  ).map((key) => dig(key, 'kid'))
}

test('tokens, page tokens and the certificate authority stay valid over a restart', async () => {
  const { data, makeSet } = managedFolder()
  const set = makeSet()
  const first = await start({ data })
  const token = await clientOf(first, set).token()
  const id = first.world.tenants()[0]?.id
  const page = ['data', 'tenant', 'inventory', 'deviceSearch']
  const before = await clientOf(first, set).ask(token, pageQuery, { id, params: { pageSize: 4 } })
  const told = await kids(first, set)
  await first.stop()
  const second = await start({ data })
  expect([second.ca, second.certificates, await kids(second, set)]).toEqual([first.ca, first.certificates, told])
  const after = await clientOf(second, set).ask(token, pageQuery, {
    id,
    params: { pageSize: 4, nextToken: before.at(...page, 'pageInfo', 'nextToken') },
  })
  expect(after.at('errors')).toBeUndefined()
  expect(
    [...digAll(before.json, ...page, 'edges'), ...digAll(after.json, ...page, 'edges')].map((edge) =>
      dig(edge, 'node', 'id'),
    ),
  ).toEqual(
    second.world
      .devices(id)
      .slice(0, 8)
      .map((device) => device.id),
  )
  expect(kidOf(await clientOf(second, set).token())).toBe(kidOf(token))
})

test('tokens of another folder or of a service in memory are invalid', async () => {
  const { data, makeSet } = managedFolder()
  const set = makeSet()
  const token = await clientOf(await start({ data }), set).token()
  const other = managedFolder()
  expect(await accepted(await start({ data: other.data }), other.makeSet(), token)).toBe(false)
  const inMemory = await start({ clientId: set.clientId, clientSecret: set.clientSecret })
  expect(await accepted(inMemory, set, token)).toBe(false)
})

test('keys rotate on across restarts and leave when their last token has expired', async () => {
  const { data, makeSet } = managedFolder()
  const set = makeSet()
  const clock = { at: moment }
  const options = { data, now: () => clock.at, tokenLifetimeSeconds: 3 * 86_400 }
  const first = await start(options)
  const old = await clientOf(first, set).token()
  await first.rotateKeys()
  const fresh = await clientOf(first, set).token()
  const told = await kids(first, set)
  expect(told).toEqual([kidOf(fresh), kidOf(old)])
  await first.stop()
  // Also where tokens are shorter now: those that were given out are good for as long as was said.
  const second = await start({ ...options, tokenLifetimeSeconds: 60 })
  expect([await kids(second, set), await accepted(second, set, old), await accepted(second, set, fresh)]).toEqual([
    told,
    true,
    true,
  ])
  await second.rotateKeys()
  clock.at += 2 * DAY
  expect(await accepted(second, set, fresh)).toBe(true)
  await second.stop()
  clock.at += 2 * DAY
  const third = await start(options)
  const now = await kids(third, set)
  expect([now.length, told.includes(now[0]), await accepted(third, set, fresh)]).toEqual([1, false, false])
  expect(kidOf(await clientOf(third, set).token())).toBe(now[0])
  await third.stop()
  clock.at += 4 * DAY
  const fourth = await start(options)
  expect(kidOf(await clientOf(fourth, set).token())).not.toBe(now[0])
  expect(await kids(fourth, set)).toContain(now[0])
})

test('an expired certificate is renewed, and an expired authority is replaced', async () => {
  const data = freshFolder()
  const first = await start({ data })
  await first.stop()
  const file = path.join(data, 'certificates.json')
  const kept: { ca: string; caKey: string } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...kept, ...(await certify(kept, 'expired')) }))
  const second = await start({ data })
  expect(second.ca).toBe(first.ca)
  expect(second.certificates.certificate).not.toBe(first.certificates.certificate)
  expect((await plainClient(second).get(second.tokenUrl)).status).toBe(405)
  await second.stop()
  const third = await start({ data })
  expect(third.certificates).toEqual(second.certificates)
  expect([first, second, third].map(({ certificates }) => Object.keys(certificates).sort())).toEqual(
    [1, 2, 3].map(() => ['ca', 'certificate', 'key']),
  )
  await third.stop()
  const ending = await makeAuthority(60)
  writeFileSync(file, JSON.stringify({ ...ending, ...(await certify(ending, 'expired')) }))
  const fourth = await start({ data })
  expect([first.ca, ending.ca]).not.toContain(fourth.ca)
  expect((await plainClient(fourth).get(fourth.tokenUrl)).status).toBe(405)
})

test.skipIf(process.platform === 'win32')('only the owner can read the key files', async () => {
  const data = freshFolder()
  const service = await start({ data })
  await service.rotateKeys()
  for (const file of ['keys.json', 'certificates.json'])
    expect(statSync(path.join(data, file)).mode & 0o777).toBe(0o600)
})

type Kept = Record<string, unknown>
const first = (list: unknown): Kept => Object(Array.isArray(list) ? list[0] : null)
const withJwk = (kept: Kept, jwk: Kept): Kept => ({ ...kept, signing: [{ ...first(kept['signing']), jwk }] })

test.each<[string, string, (kept: Kept) => unknown]>([
  ['keys.json', 'an empty file', () => undefined],
  ['keys.json', 'a list', () => []],
  ['keys.json', 'no keys', (kept) => ({ ...kept, signing: [] })],
  ['keys.json', 'a short page key', (kept) => ({ ...kept, pageKey: 'YQ' })],
  ['keys.json', 'a key without a kid', (kept) => ({ ...kept, signing: [{ ...first(kept['signing']), kid: 7 }] })],
  ['keys.json', 'a key that is none', (kept) => withJwk(kept, { kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' })],
  ['keys.json', 'a secret instead of a key', (kept) => withJwk(kept, { kty: 'oct', k: 'c2VjcmV0' })],
  ['certificates.json', 'an empty file', () => undefined],
  ['certificates.json', 'no certificate', (kept) => ({ ...kept, certificate: 'PEM' })],
  ['certificates.json', 'keys of another', (kept) => ({ ...kept, key: kept['caKey'] })],
])('%s that holds %s stops the start and is left as it is', async (name, _what, spoil) => {
  const data = freshFolder()
  await (await start({ data })).stop()
  const file = path.join(data, name)
  const spoilt = JSON.stringify(spoil(JSON.parse(readFileSync(file, 'utf8')) as Kept)) ?? ''
  writeFileSync(file, spoilt)
  await expect(startService({ data })).rejects.toThrow(`${file} is damaged. Put back a copy, or delete it`)
  expect(readFileSync(file, 'utf8')).toBe(spoilt)
})

test('an authority that signed another certificate does not belong to it', async () => {
  const data = freshFolder()
  await (await start({ data })).stop()
  const file = path.join(data, 'certificates.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...(await makeAuthority()) }))
  await expect(startService({ data })).rejects.toThrow('is damaged')
})

test.each(['keys.json', 'certificates.json'])('%s of a later version is left alone', async (name) => {
  const data = freshFolder()
  await (await start({ data })).stop()
  const file = path.join(data, name)
  writeFileSync(file, '{"format":2}')
  await expect(startService({ data })).rejects.toThrow(`${name} was written by a later version`)
  expect(readFileSync(file, 'utf8')).toBe('{"format":2}')
})
