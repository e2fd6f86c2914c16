import { describe, expect, test } from 'vitest'
import type { IncidentMarks } from '../../../src-shared/model/incidents.ts'
import type { TeamMember } from '../../../src-shared/model/team.ts'
import { actOn } from '../../../src-renderer/incidents/team/direct.ts'
import { assigneesOf } from '../../../src-renderer/incidents/team/assign.tsx'
import { lookersOf, lookingText, marksLines, takenText } from '../../../src-renderer/incidents/team/words.ts'
import { start } from '../support/incident-core.ts'
import { incidentOf, minute, night } from '../support/incident-stub.ts'

const when = { self: 'Ann', now: night, times: 'utc' as const }
const marked = (id: string, more: Partial<IncidentMarks> = {}): IncidentMarks => ({
  id,
  acknowledged: null,
  snoozed: null,
  assigned: null,
  ...more,
})
const byBen = { at: night - 3 * minute, to: 'Ben', by: 'Ben' }

describe('who looks at an incident', () => {
  test('is named once, without this Muster', () => {
    const look = (operator: string, incident: string, isSelf = false) => ({ operator, incident, isSelf })
    const looking = [look('Cleo', 'a'), look('Ben', 'a'), look('Ben', 'b'), look('Ann', 'a', true), look('Dan', 'c')]
    const team = { looking } as unknown as Parameters<typeof lookersOf>[0]
    expect(lookersOf(team, ['a', 'b'])).toEqual(['Ben', 'Cleo'])
    expect(lookersOf(null, ['a'])).toEqual([])
  })

  test.each([
    [[], 1, ''],
    [['Ben'], 1, 'Ben is looking at this incident.'],
    [['Ben'], 2, 'Ben is looking at one of these incidents.'],
    [['Ben', 'Cleo'], 1, 'Ben and Cleo are looking at this incident.'],
    [['Ben', 'Cleo', 'Dan', 'Eve'], 1, 'Ben, Cleo and 2 others are looking at this incident.'],
    [[' '], 1, 'A member without a name is looking at this incident.'],
  ])('is a sentence: %j at %i', (names, count, text) => {
    expect(lookingText(names, count)).toBe(text)
  })
})

describe('what others did about the incidents of a dialog', () => {
  const one = { ...marked('a'), message: incidentOf('a').message }

  test('stands before what they do meanwhile, and what this operator does is left out', () => {
    const taken = { ...one, assigned: byBen }
    const acknowledged = { at: night, reason: 'Power cut', by: 'Ben' }
    expect(marksLines([taken], [taken], when)).toEqual(['Taken by Ben, 3 min ago.'])
    expect(marksLines([taken], [marked('a', { assigned: byBen, acknowledged })], when)).toEqual([
      'Taken by Ben, 3 min ago.',
      'Ben acknowledged it just now: Power cut',
    ])
    expect(marksLines([one], [marked('a', { acknowledged: { ...acknowledged, by: 'Ann' } })], when)).toEqual([])
    expect(marksLines([{ ...one, acknowledged }], [marked('a', { acknowledged })], when)).toEqual([
      'Acknowledged by Ben, just now: Power cut',
    ])
  })

  test('is told as it was done', () => {
    const line = (now: Partial<IncidentMarks>) => marksLines([one], [marked('a', now)], when)
    expect(line({ assigned: { ...byBen, at: night } })).toEqual(['Ben took it just now.'])
    expect(line({ assigned: { at: night, to: 'Ann', by: 'Ben' } })).toEqual(['Ben assigned it to you just now.'])
    expect(line({ assigned: { at: night, to: 'Cleo', by: 'Ben' } })).toEqual(['Ben assigned it to Cleo just now.'])
    expect(line({ snoozed: { at: night, until: null, by: 'Ben' } })).toEqual([
      'Ben snoozed it just now, until it recovers.',
    ])
    expect(line({ snoozed: { at: night, until: night + 30 * minute, by: 'Ben' } })).toEqual([
      'Ben snoozed it just now, until 03:30.',
    ])
    // It is closed.
    expect(marksLines([{ ...one, assigned: byBen }], [], when)).toEqual([])
  })

  test('is counted for several, and at most three changes are named', () => {
    const subjects = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({
      ...marked(id, id < 'c' ? { assigned: byBen } : {}),
      message: incidentOf(id).message,
    }))
    const now = subjects.map(({ id, assigned }) => marked(id, { assigned: assigned ?? { ...byBen, at: night } }))
    expect(marksLines(subjects, now, when)).toEqual([
      '2 of them are taken by Ben.',
      'Ben took “c: 12 devices offline in Berlin” just now.',
      'Ben took “d: 12 devices offline in Berlin” just now.',
      'Ben took “e: 12 devices offline in Berlin” just now.',
      'And 1 more change by others.',
    ])
  })
})

test('an incident is taken by a name, or by you', () => {
  expect([takenText(byBen, 'Ann'), takenText(byBen, 'Ben'), takenText(byBen, null)]).toEqual([
    'Taken by Ben',
    'Taken by you',
    'Taken by Ben',
  ])
})

test('incidents go to those who are here first, each name once', () => {
  const member = (operator: string, isHere: boolean, isSelf = false) => ({ operator, isHere, isSelf }) as TeamMember
  const members = [member('Zoe', true), member('Ben', false), member('Ann', true, true), member('Zoe', false)]
  expect(assigneesOf(members).map(({ operator, isHere }) => `${operator} ${isHere}`)).toEqual([
    'Ann true',
    'Zoe true',
    'Ben false',
  ])
})

describe('what needs no dialog', () => {
  const joined = { joined: { operator: 'Ann', members: [], looking: [] } }

  test('is done at once, but asked first where another member takes care of it', async () => {
    const it = await start([incidentOf('a'), incidentOf('b', { assigned: byBen })])
    await it.report('team', joined)
    const [a, b] = it.fleet.open
    actOn(it.incidents, { do: 'take' }, a === undefined ? [] : [a])
    expect(it.asked).toContainEqual(['incidents.assign', { ids: ['a'], to: 'Ann' }])
    expect(it.incidents.asked.get()).toEqual({ what: 'none' })
    for (const act of ['take', 'give back', 'unacknowledge'] as const) {
      actOn(it.incidents, { do: act }, it.fleet.open)
      expect(it.incidents.asked.get()).toEqual({ what: 'question', act: { do: act }, subjects: [a, b] })
    }
    expect(it.asked.filter(([name]) => name === 'incidents.assign')).toHaveLength(1)
  })

  test('is not asked for what this operator has, and not at all without a team', async () => {
    const mine = incidentOf('a', { assigned: { ...byBen, to: 'Ann' } })
    const it = await start([mine])
    await it.report('team', joined)
    actOn(it.incidents, { do: 'take' }, [mine])
    expect(it.incidents.actions.state.get().words).toBe('You have taken it already.')
    actOn(it.incidents, { do: 'give back' }, [mine])
    expect(it.asked).toContainEqual(['incidents.assign', { ids: ['a'], to: null }])
    await it.report('team', { joined: null })
    const acknowledged = { at: night, reason: 'On it', by: 'Ben' }
    actOn(it.incidents, { do: 'unacknowledge' }, [incidentOf('b', { acknowledged, assigned: byBen })])
    expect(it.asked).toContainEqual(['incidents.unacknowledge', { ids: ['b'] }])
  })

  test('asks before it takes back what another member acknowledged', async () => {
    const one = incidentOf('a', { acknowledged: { at: night, reason: 'On it', by: 'Ben' } })
    const it = await start([one])
    await it.report('team', joined)
    actOn(it.incidents, { do: 'unacknowledge' }, [one])
    expect(it.incidents.asked.get()).toMatchObject({ what: 'question' })
  })
})
