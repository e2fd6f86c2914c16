import { expect, test } from 'vitest'
import { authorAmong } from '../../../src-main/team/author.ts'

test('a login marks with a name of its own members, and beside a name that another one had', () => {
  const members = [
    { operator: 'Ann', role: 'ann', joinedAt: 1 },
    { operator: 'Ben', role: 'ben', joinedAt: 2 },
    { operator: 'Ann', role: 'ben', joinedAt: 3 },
  ]
  const author = (role: string, claimed: string) => authorAmong(members, role, claimed)
  expect([author('ann', 'Ann'), author('ben', 'Ben'), author('ben', 'Ann')]).toEqual(['Ann', 'Ben', 'Ann (ben)'])
  // A name that no member of the login has.
  expect([author('ann', 'Ben'), author('gone', 'Ann')]).toEqual(['Ann', 'gone'])
})
