import { expect, test } from 'vitest'
import { placeDirectoryText } from '../../src-shared/text/place-directory.ts'

const read = { state: 'read', readAt: 0, accounts: 1, sites: 1200, rooms: 0, points: 3400 } as const

test('the number of places and their cost are told, as far as they are known', () => {
  expect(placeDirectoryText(read)).toBe('1 account, 1,200 sites, 0 rooms, about 3,400 points')
  expect(placeDirectoryText({ ...read, accounts: null, points: null })).toBe('1,200 sites, 0 rooms')
})

test('a service that lists nothing, or shows no schema, is told apart', () => {
  expect(placeDirectoryText({ state: 'not-offered' })).toBe('This service lists no accounts, sites and rooms')
  expect(placeDirectoryText({ state: 'no-schema' })).toBe('Not read: this service does not show its schema')
})
