import { expect, test } from 'vitest'
import { absentMembers, openOtherJobs, type JobTeam } from '../../../../src-main/actions/runner/other-jobs.ts'
import type { ListedJob } from '../../../../src-main/storage/journal/job-records.ts'
import { manualClock } from '../../../support/clock.ts'

const minutes = 60_000
const now = 100 * minutes
const member = (id: string, ago: number) => ({ id, seenAt: now - ago * minutes, isSelf: id === 'self' })
const jobOf = (id: string, ago = 0) => ({
  job: {
    id: `job of ${id}`,
    owner: { member: id, operator: id.toUpperCase() },
    createdAt: now - ago * minutes,
    endedAt: null,
  },
})

test('a member not seen for over ten minutes is absent, and one that left too', () => {
  const members = [member('self', 0), member('here', 9), member('lost', 11)]
  expect(absentMembers([jobOf('here'), jobOf('left', 30), jobOf('new', 1)], members)).toEqual(['lost', 'left'])
})

test('nobody is absent while this member could not read who is there', () => {
  // All times are those of the last reading, however long ago.
  expect(absentMembers([jobOf('here', 60)], [member('self', 60), member('here', 61)])).toEqual([])
  expect(absentMembers([jobOf('here', 60)], [])).toEqual([])
})

function open(team: JobTeam | null) {
  const clock = manualClock(now)
  const state = { reads: 0, changes: 0 }
  const others = openOtherJobs({
    clock,
    team,
    log: () => {},
    onChange: () => void (state.changes += 1),
    data: {
      async otherJobs() {
        state.reads += 1
        return ['here', 'lost'].map((id) => ({ job: jobOf(id).job as unknown as ListedJob, open: [`device of ${id}`] }))
      },
    },
  })
  return { clock, state, others }
}

test('others’ jobs are read once a second, and keep their devices while their members are there', async () => {
  const { clock, state, others } = open({
    member: () => 'self',
    operator: () => 'Self',
    members: () => [member('self', 0), member('here', 0), member('lost', 11)],
  })
  for (let times = 0; times < 5; times += 1) others.soon()
  await clock.advance(1_000)
  expect(state).toEqual({ reads: 1, changes: 1 })
  expect(others.list().map(({ owner }) => owner)).toEqual(['HERE', 'LOST'])
  expect(['here', 'lost', 'other'].map((id) => others.isBusy(`device of ${id}`))).toEqual([true, false, false])
  expect(['job of here', 'job of lost', 'own'].map(others.counts)).toEqual([true, false, true])
  expect(others.owner()).toEqual({ member: 'self', operator: 'Self' })
  others.stop()
  others.soon()
  await clock.advance(5_000)
  expect(state.reads).toBe(1)
})

test('a member that is gone is noticed, although nothing of its jobs changes', async () => {
  const all = [member('self', 0), member('here', 0), member('lost', 0)]
  const { clock, state, others } = open({ member: () => 'self', operator: () => 'Self', members: () => all })
  others.soon()
  await clock.advance(1_000)
  expect([state.changes, others.list().map(({ ownerAway }) => ownerAway)]).toEqual([1, [false, false]])
  all[2] = member('lost', 11)
  await clock.advance(30_000)
  expect([state.changes, others.list().map(({ ownerAway }) => ownerAway)]).toEqual([2, [false, true]])
  await clock.advance(60_000)
  expect(state.changes).toBe(2)
  all[2] = member('lost', 0)
  await clock.advance(30_000)
  expect(state.changes).toBe(3)
  others.stop()
})

test('a Muster on its own has no others, and its jobs no owner', async () => {
  const { clock, state, others } = open(null)
  others.soon()
  await clock.advance(5_000)
  expect([state.reads, others.list(), others.owner(), others.absent(), others.member()]).toEqual([
    0,
    [],
    undefined,
    [],
    null,
  ])
})

test('before this member was there for the first time nothing is its own, and it makes no job', () => {
  const { others } = open({ member: () => null, operator: () => 'Self', members: () => [] })
  expect(others.member()).toBe('')
  expect(() => others.owner()).toThrow(expect.objectContaining({ fault: { kind: 'team-away', detail: '' } }))
})
