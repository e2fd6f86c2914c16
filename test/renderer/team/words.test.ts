import { describe, expect, test } from 'vitest'
import type { TeamMember } from '../../../src-shared/model/team.ts'
import {
  evaluatorText,
  isCurrent,
  leaderText,
  linkWords,
  outcomeText,
  sortedLeads,
  sortedMembers,
  summaryText,
  type JoinedTeam,
} from '../../../src-renderer/team/words.ts'

const fault = { kind: 'connect', detail: 'db:5432' } as const
const links = {
  connecting: { is: 'connecting' },
  online: { is: 'online', since: 5 },
  newer: { is: 'read-only', why: 'newer', version: 7 },
  behind: { is: 'read-only', why: 'behind', version: 3 },
  lost: { is: 'lost', since: 9, fault },
} as const satisfies Record<string, JoinedTeam['link']>
const wordsOf = (link: JoinedTeam['link'], more: { isCatchingUp?: boolean; coreLost?: boolean } = {}) =>
  linkWords({ link, isCatchingUp: more.isCatchingUp ?? false }, more.coreLost ?? false)

describe('the state of the link', () => {
  test('online and unreachable have their begin, and what is shown meanwhile', () => {
    expect(wordsOf(links.online)).toEqual({ tone: 'good', words: 'Online', since: 5, advice: '' })
    expect(wordsOf(links.lost)).toEqual({
      tone: 'warn',
      words: 'Unreachable',
      since: 9,
      advice: 'What is shown is this Muster’s copy. Muster tries again by itself.',
    })
    expect(wordsOf(links.connecting)).toMatchObject({ tone: 'busy', words: 'Connecting…', since: null })
  })

  test('read-only says who has to do what', () => {
    expect(wordsOf(links.newer)).toMatchObject({
      words: 'Read-only',
      advice: 'The team’s database has version 7 of the schema, of a newer Muster. Update this Muster.',
    })
    expect(wordsOf(links.behind).advice).toBe(
      'The team’s database has version 3 of the schema, of an older Muster. The owner role has to sign in with this version of Muster once.',
    )
  })

  test('catching up hides only that it is online', () => {
    expect(wordsOf(links.online, { isCatchingUp: true })).toMatchObject({ tone: 'busy', words: 'Catching up…' })
    expect(wordsOf(links.lost, { isCatchingUp: true }).words).toBe('Unreachable')
  })

  test('without the core nothing is known, whatever it said last', () => {
    expect(wordsOf(links.online, { coreLost: true })).toEqual({
      tone: 'warn',
      words: 'Unknown',
      since: null,
      advice: 'Muster’s core is not running.',
    })
  })

  test('who is here is known only while the database is reached', () => {
    const known = Object.entries(links).filter(([, link]) => isCurrent({ link }, false))
    expect(known.map(([name]) => name)).toEqual(['online', 'newer', 'behind'])
    expect(isCurrent({ link: links.online }, true)).toBe(false)
  })
})

describe('members and who reads', () => {
  const member = (operator: string, id = operator): TeamMember => ({
    id,
    operator,
    role: 'muster_member',
    musterVersion: '1.0.0',
    joinedAt: 0,
    seenAt: 0,
    isHere: true,
    isSelf: false,
  })

  test('members are in natural order of their names, namesakes always in the same order', () => {
    const members = [member('Shift 10'), member('shift 9'), member('Ann', 'b'), member('Ann', 'a')]
    expect(sortedMembers(members).map(({ id }) => id)).toEqual(['a', 'b', 'shift 9', 'Shift 10'])
  })

  test('credential sets are in the order of their first connection', () => {
    const leads = [
      { connections: ['Zone 10', 'Zone 2'], leader: null },
      { connections: [], leader: null },
      { connections: ['Berlin'], leader: { operator: 'Ann', isSelf: false } },
    ]
    expect(sortedLeads(leads).map(({ connections }) => connections)).toEqual([[], ['Berlin'], ['Zone 2', 'Zone 10']])
  })

  test('a leader is this Muster, that of a member, or nobody', () => {
    expect(leaderText({ operator: 'Ann', isSelf: false })).toBe('Ann’s Muster')
    expect(leaderText({ operator: 'Ann', isSelf: true })).toBe('This Muster')
    expect(leaderText({ operator: ' \u200B', isSelf: false })).toBe('a member without a name’s Muster')
    expect(leaderText(null)).toBe('Nobody now')
  })

  test('the evaluator is a sentence, in which a name cannot turn the text around it', () => {
    expect(evaluatorText({ operator: 'Ann\u202E', isSelf: false }, true)).toBe('Incidents are kept by Ann’s Muster.')
    expect(evaluatorText({ operator: 'Ann', isSelf: true }, false)).toBe('Incidents are kept by this Muster.')
    expect(evaluatorText(null, true)).toBe('Nobody keeps the incidents now.')
    expect(evaluatorText(null, false)).toBe('Who keeps the incidents is not known yet.')
  })
})

describe('the result of a test', () => {
  const leg = (more: object) => ({ leg: 'tls', outcome: 'ok', fault: null, detail: '', ms: 1, ...more }) as const

  test('a leg that was not needed is told from one that was not tried', () => {
    expect(outcomeText(leg({ outcome: 'skipped', detail: 'not needed on this computer' }))).toBe('skipped')
    expect(outcomeText(leg({ outcome: 'skipped' }))).toBe('not tried')
    expect([outcomeText(leg({})), outcomeText(leg({ outcome: 'failed' }))]).toEqual(['works', 'fails'])
  })

  test('the summary names the leg that failed', () => {
    expect(summaryText([leg({}), leg({ outcome: 'skipped' })])).toBe('Passed, not saved.')
    expect(summaryText([leg({}), leg({ leg: 'sign-in', outcome: 'failed', fault })])).toBe(
      'Failed at: Sign-in. Not saved.',
    )
  })
})
