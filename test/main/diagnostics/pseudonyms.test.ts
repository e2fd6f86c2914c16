import { expect, test } from 'vitest'
import { createPseudonyms, hostNames, type Known } from '../../../src-main/diagnostics/pseudonyms.ts'

const known: Known[] = [
  { kind: 'host', name: 'api.acme.test' }, { kind: 'host', name: 'acme.test' }, { kind: 'tenant', name: 'Ive' }, { kind: 'tenant', name: 'Ac"me (EU) $1' }, { kind: 'connection', name: '' },
]
const replace = createPseudonyms('a key', known)

test('names go wherever they stand by themselves, the longest first, in any case', () => {
  const text = replace('https://API.acme.test/graphql: *.acme.test is for another host. Ive was received. Ac"me (EU) $1')
  expect(text).not.toMatch(/acme|\bIve\b|EU/iu)
  expect(text).toMatch(/^https:\/\/host-[\da-f]{8}\/graphql: \*\.host-[\da-f]{8} is for another host\. tenant-[\da-f]{8} was received\. tenant-[\da-f]{8}$/u)
  expect(replace(JSON.stringify({ name: 'Ac"me (EU) $1' }))).toMatch(/^\{"name":"tenant-[\da-f]{8}"\}$/u)
})

test('they are the same each time, of one key, and others of another', () => {
  expect(replace('Ive')).toBe(createPseudonyms('a key', [{ kind: 'tenant', name: 'Ive' }])('Ive'))
  expect(createPseudonyms('another key', known)('Ive')).not.toBe(replace('Ive'))
  expect(createPseudonyms('a key', [{ kind: 'connection', name: 'Ive' }])('Ive')).not.toBe(replace('Ive'))
})

test('hosts and network addresses that nobody knows are found by what they look like; this computer and versions stay', () => {
  expect(replace('wss://other.test:8443/x and https://[fe80::1]/')).toMatch(/^wss:\/\/host-[\da-f]{8}:8443\/x and https:\/\/host-[\da-f]{8}\/$/u)
  expect(replace('no way to 10.1.22.3, or to 10.1.22.3.')).toMatch(/^no way to (address-[\da-f]{8}), or to \1\.$/u)
  for (const text of ['https://127.0.0.1:4000/', 'wss://localhost/', 'http://[::1]:1/', '127.0.0.1', '13.6.233.17-node.53', 'Chromium 153.0.6943.12', '1.2.3.4.5']) expect(replace(text)).toBe(text)
})

test('a host is known with the domain that it lies in', () => {
  expect(hostNames('https://eu.api.acme.test:8443/x')).toEqual(['eu.api.acme.test', 'api.acme.test', 'acme.test'])
  expect(hostNames('https://acme.test')).toEqual(['acme.test'])
  for (const address of ['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'nothing', '']) expect(hostNames(address)).toEqual([])
})
