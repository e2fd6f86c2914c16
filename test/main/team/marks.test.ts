import { expect, test } from 'vitest'
import type { IncidentRunner } from '../../../src-main/incidents/runner.ts'
import { carryOutMark } from '../../../src-main/team/marks.ts'

test('an assignment by another member is signed with the name the database vouches for', async () => {
  const marked: unknown[] = []
  const runner: Pick<IncidentRunner, 'mark'> = {
    mark: async (changes) => {
      marked.push(...changes)
      return 1
    },
  }
  const refused: string[] = []
  const team = { refuse: (_id: string, { kind }: { kind: string }) => void refused.push(kind) }
  const author = (claimed: string) => (claimed === 'Berta' ? claimed : 'berta')
  const assigned = { at: 5, to: 'Anna', by: 'Anna' }
  await carryOutMark(
    team,
    runner,
    'a',
    {
      changes: [
        { id: 'i', assigned },
        { id: 'j', assigned: null },
      ],
    },
    author,
  )
  expect(marked).toEqual([
    { id: 'i', assigned: { at: 5, to: 'Anna', by: 'berta' } },
    { id: 'j', assigned: null },
  ])
  await carryOutMark(team, runner, 'b', { changes: [{ id: 'i', assigned: { at: 5, to: 'Anna' } }] }, author)
  expect([marked.length, refused]).toEqual([2, ['internal']])
})
