import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { portalAddress, portalProblem, presets } from '../../src-shared/connections/presets.ts'

const place = { tenant: 'T 1/ä', id: 'a&b?c#d' }

test("a device's page in the portal has its tenant and id in their places, encoded", () => {
  const [lens] = presets
  expect(portalAddress(lens?.portal ?? '', { tenant: 't-1', id: '00e0db4c5a6b' })).toBe(
    'https://lens.poly.com/manage/inventory/details/00e0db4c5a6b?tenantid=t-1',
  )
  expect(portalAddress(lens?.portal ?? '', place)).toBe(
    'https://lens.poly.com/manage/inventory/details/a%26b%3Fc%23d?tenantid=T%201%2F%C3%A4',
  )
})

test('text in an id is not taken for a placeholder or a pattern', () => {
  expect(portalAddress('https://p.test/{id}/{tenant}', { tenant: '{id}', id: '$&' })).toBe(
    'https://p.test/%24%26/%7Bid%7D',
  )
})

test.each([
  ['', null],
  ['https://p.test/{id}', null],
  ['https://p.test/d?x={id}&t={tenant}', null],
  ['http://p.test/{id}', 'The address must begin with https://.'],
  ['javascript:alert({id})', 'The address must begin with https://.'],
  ['p.test/{id}', 'This is not an address. It looks like https://host/path/{id}.'],
  ['https://{tenant}.test/{id}', 'The host must be fixed: {tenant} and {id} belong into the path or after it.'],
  ['https://{id}', 'The host must be fixed: {tenant} and {id} belong into the path or after it.'],
  ['https://p.test:{id}/', 'This is not an address. It looks like https://host/path/{id}.'],
  ['https:{id}', 'The host must be fixed: {tenant} and {id} belong into the path or after it.'],
  ['https://me:pw@p.test/{id}', 'Leave out the name and password.'],
  ['https://p.test/{mac}', '{mac} is not known here. {tenant} and {id} are filled in.'],
  ['https://p.test/{', '{ is not known here. {tenant} and {id} are filled in.'],
  ['https://p.test/devices', 'Put {id} where the id of the device belongs.'],
])('the template %s is rejected', (template, problem) => {
  expect(portalProblem(template)).toBe(problem)
  if (problem !== null) expect(portalAddress(template, place)).toBeNull()
})

test.each(['.', '..', '\uD800'])('the id %j has no page', (id) => {
  expect(portalAddress('https://p.test/folder/{id}', { tenant: 't', id })).toBeNull()
})

test("any device id gives a page on the portal's host and in its folder", () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, (tenant, id) => {
      const address = portalAddress('https://p.test/folder/{id}/x?t={tenant}#{tenant}', { tenant, id })
      if (address === null) return
      const url = new URL(address)
      expect(url.origin).toBe('https://p.test')
      expect(url.pathname).toMatch(/^\/folder\/[^/]*\/x$/)
      expect(decodeURIComponent(url.pathname.slice('/folder/'.length, -'/x'.length))).toBe(id)
      expect(url.searchParams.get('t')).toBe(tenant)
    }),
  )
})

test('the presets are URLs that can be saved', () => {
  for (const { tokenUrl, graphqlUrl, subscriptionUrl, portal } of presets) {
    expect([tokenUrl, graphqlUrl, subscriptionUrl].map((address) => new URL(address).protocol)).toEqual([
      'https:',
      'https:',
      'wss:',
    ])
    expect(portalProblem(portal)).toBeNull()
  }
})
