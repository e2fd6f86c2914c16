import { expect, test } from 'vitest'
import { roomNode, siteNode, tenantKey } from '../../../src-main/inventory/keys.ts'
import { actionRequest } from '../../../src-shared/model/jobs.ts'
import {
  capacityProblem,
  isChanged,
  knownRoom,
  newRoom,
  roomRequest,
  sizeProblem,
} from '../../../src-renderer/actions/places/place-values.ts'

const tenant = tenantKey('https://a.example', 'Acme')
const site = { id: 's 1', name: 'Berlin' }
const found = {
  id: roomNode(tenant, site.id, 'r1'),
  kind: 'room' as const,
  name: 'Lobby',
  roomFacts: { capacity: 0, size: 'LARGE', floor: null },
  above: [{ id: siteNode(tenant, site.id), kind: 'site' as const, name: site.name }],
}
const known = { id: 'r1', name: 'Lobby', site, capacity: '0', size: 'LARGE', floor: '' }

test('the form of a room begins with what the service lists', () => {
  expect(knownRoom(tenant, [found])).toEqual(known)
  expect(knownRoom(tenant, [])).toBeNull()
  expect(knownRoom('other/tenant', [found])).toBeNull()
})

test('a changed room is sent with its name and what differs alone', () => {
  const request = roomRequest(tenant, { ...known, name: ' Foyer ', floor: '3' }, known)
  expect(request).toEqual({ kind: 'room', tenant, id: 'r1', name: 'Foyer', floor: '3' })
  expect(actionRequest.parse(request)).toEqual(request)
})

test('a capacity that is emptied is removed, and one that is not touched stays', () => {
  expect(roomRequest(tenant, { ...known, capacity: '' }, known)).toMatchObject({ capacity: null })
  expect(roomRequest(tenant, known, known)).not.toHaveProperty('capacity')
})

test('a new room is sent with its site', () =>
  expect(roomRequest(tenant, { ...newRoom(site), name: 'Hall', capacity: ' 12 ' }, null)).toEqual({
    kind: 'room',
    tenant,
    id: null,
    site: 's 1',
    name: 'Hall',
    capacity: 12,
  }))

test('a draft without a change cannot be sent', () => {
  expect(isChanged(known, known)).toBe(false)
  expect(isChanged({ ...known, name: 'Lobby ' }, known)).toBe(false)
  expect(isChanged({ ...known, site: null }, known)).toBe(true)
})

test.each(['', '0', ' 12 ', '100000'])('the capacity “%s” can be sent', (typed) =>
  expect(capacityProblem(typed)).toBe(''),
)

test.each(['-1', '1.5', 'ten', '100001', '9999999'])('the capacity “%s” cannot be sent', (typed) =>
  expect(capacityProblem(typed)).toBe('Enter a whole number from 0 to 100,000.'),
)

test('a size cannot be emptied, since an empty one is not sent', () => {
  expect(sizeProblem('', known)).toBe('The size cannot be removed, only changed.')
  expect(sizeProblem('', null)).toBe('')
  expect(sizeProblem('SMALL', known)).toBe('')
})
