import { expect, test } from 'vitest'
import { openLooking } from '../../../src-main/team/looking.ts'
import type { Message } from '../../../src-main/team/replica/replica.ts'
import type { TeamLink, TeamMember } from '../../../src-shared/model/team.ts'
import { manualClock } from '../../support/clock.ts'

const member = (id: string, more: Partial<TeamMember> = {}): TeamMember => ({
  id,
  operator: id.toUpperCase(),
  role: `role-${id}`,
  musterVersion: '1',
  joinedAt: 0,
  seenAt: 0,
  isHere: true,
  isSelf: id === 'self',
  ...more,
})

const lost: TeamLink = { is: 'lost', since: 0, fault: { kind: 'team-away', detail: '' } }
const online: TeamLink = { is: 'online', since: 0 }

function setup() {
  const clock = manualClock(1_000_000)
  const told: unknown[] = []
  const there = { link: online as TeamLink, members: [member('self'), member('ann'), member('ben')] }
  const team: Parameters<typeof openLooking>[1] = {
    member: () => 'self',
    state: () => there,
    tell: async (message: Message) => void told.push(message.is === 'looking' ? message.incident : message),
  }
  const looking = openLooking(clock, team)
  const faults: unknown[] = []
  let changes = 0
  looking.start({ onChange: () => void (changes += 1), onFault: (error) => void faults.push(error) })
  const heard = (id: string, incident: string | null, role = `role-${id}`) =>
    looking.heard({ is: 'looking', member: id, incident }, role)
  return { clock, told, there, looking, heard, changes: () => changes }
}

test('what this member looks at is told once it settles, at most once a second', async () => {
  const { clock, told, looking, changes } = setup()
  for (const id of ['a', 'b', 'c']) looking.look(id)
  looking.look('c')
  expect([told, changes()]).toEqual([[], 3])
  await clock.advance(200)
  expect(told).toEqual(['c'])
  looking.look('d')
  looking.look(null)
  await clock.advance(900)
  expect(told).toEqual(['c'])
  await clock.advance(100)
  expect(told).toEqual(['c', null])
  await clock.advance(60_000)
  expect(told).toEqual(['c', null])
})

test('nothing is told while the database is away; then the newest is', async () => {
  const { clock, told, there, looking } = setup()
  there.link = lost
  looking.teamChanged()
  looking.look('a')
  await clock.advance(10_000)
  looking.look('b')
  await clock.advance(10_000)
  expect(told).toEqual([])
  there.link = online
  looking.teamChanged()
  await clock.advance(1000)
  expect(told).toEqual(['b'])
})

test('others are shown while they are here, as far as the database vouches for who tells', () => {
  const { there, looking, heard } = setup()
  heard('ann', 'a')
  heard('ben', 'b', 'role-ann')
  heard('self', 'x')
  expect(looking.all()).toEqual([{ operator: 'ANN', isSelf: false, incident: 'a' }])
  looking.look('mine')
  expect(looking.all().map(({ incident }) => incident)).toEqual(['mine', 'a'])
  there.link = lost
  expect(looking.all()).toEqual([])
  there.link = online
  there.members = [member('self'), member('ann', { isHere: false })]
  looking.teamChanged()
  there.members = [member('self'), member('ann')]
  looking.teamChanged()
  // Ann tells of her look again when her own link is back.
  expect(looking.all().map(({ operator }) => operator)).toEqual(['SELF'])
  heard('ann', 'a')
  heard('ann', null)
  expect(looking.all()).toHaveLength(1)
})

test('a look is told again to whoever joins, and what a former start left is taken back', async () => {
  const { clock, told, looking } = setup()
  looking.greeted('ann')
  await clock.advance(5000)
  expect(told).toEqual([])
  looking.greeted('self')
  await clock.advance(5000)
  looking.look('a')
  await clock.advance(5000)
  looking.greeted('ann')
  await clock.advance(5000)
  expect(told).toEqual([null, 'a', 'a'])
  await looking.end()
  looking.look('b')
  await clock.advance(5000)
  expect(told).toEqual([null, 'a', 'a', null])
})
