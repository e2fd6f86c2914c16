import { expect, test } from 'vitest'
import { fieldOf, suggestionText, placeName } from '../../../src-renderer/lib/format/suggested.ts'

const connection = (name: string, ...notOffered: string[]) => ({ name, ...(notOffered.length > 0 && { notOffered }) })

test.each([
  ['all offer it', [connection('Acme'), connection('Berg', 'room')], ''],
  ['the only one does not', [connection('Acme', 'site')], 'Not offered by this service'],
  ['none does', [connection('Acme', 'site'), connection('Berg', 'site')], 'Not offered by these services'],
  ['one does not', [connection('Acme', 'site'), connection('Berg')], 'Not offered by Acme'],
  [
    'several do not',
    [connection('Acme', 'site'), connection('Berg', 'site'), connection('Cora', 'room')],
    'Not offered by Acme and 1 more',
  ],
  ['there is none to ask', [], ''],
])('a field of which %s', (_case, connections, words) => {
  expect(suggestionText('site', connections)).toBe(words)
})

test('the status is the field connected', () => {
  expect([fieldOf('status'), fieldOf('site')]).toEqual(['connected', 'site'])
})

test.each([
  ['its one service does not offer it', ['a'], 'Site not offered by this service'],
  ['none of its services offers it', ['a', 'b'], 'Site not offered by these services'],
  ['one of its services offers it', ['a', 'c'], 'No site'],
  ['its connection is gone', ['x'], 'No site'],
  ['it has an id of its own', undefined, 'No site'],
])('a place without a site where %s', (_case, ids, words) => {
  const all = [
    { id: 'a', ...connection('Acme', 'site') },
    { id: 'b', ...connection('Berg', 'site') },
    { id: 'c', ...connection('Cora', 'room') },
  ]
  expect(placeName({ kind: 'site', name: 'No site', ...(ids !== undefined && { connections: ids }) }, all)).toBe(words)
})
