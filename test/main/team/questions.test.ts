import { expect, test } from 'vitest'
import { openQuestions } from '../../../src-main/team/questions.ts'
import type { Message } from '../../../src-main/team/replica/replica.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

/** Members that hear all that one of them tells; `isAway`: the database of all. */
function open(ids: readonly string[]) {
  const clock = manualClock()
  const state = { isAway: false, reading: new Set<string>(), told: [] as Message[] }
  const members = ids.map((id) => ({
    id,
    questions: openQuestions(
      clock,
      {
        member: () => id,
        async tell(message) {
          if (state.isAway) throw new FaultError('team-away')
          state.told.push(message)
          if (message.is === 'question' || message.is === 'reply')
            for (const { questions } of members) questions.heard(message)
        },
      },
      { readers: () => [...state.reading], reads: () => state.reading.has(id) },
    ),
  }))
  for (const { id, questions } of members)
    questions.start(
      async (what, input) => {
        if (input === 'unknown') throw new FaultError('input', 'scope: unknown')
        return `${id}: ${what} ${String(input)}`
      },
      (error) => expect(error).toBeUndefined(),
    )
  const of = (id: string) => {
    const found = members.find((one) => one.id === id)
    if (found === undefined) throw new Error(id)
    return found.questions
  }
  return { clock, state, of }
}

test('all other members that read answer, and nobody else', async () => {
  const { state, of } = open(['a', 'b', 'c', 'd'])
  expect([await of('a').ask('cost', 'all'), state.told]).toEqual([[], []])
  state.reading = new Set(['b', 'c'])
  expect(await of('a').ask('cost', 'all')).toEqual(['b: cost all', 'c: cost all'])
  expect(state.told.flatMap((one) => (one.is === 'reply' ? one.member : []))).toEqual(['b', 'c'])
  expect(await of('b').ask('hours', null)).toEqual(['c: hours null'])
})

test('a fault of one, and one that does not answer, is a fault', async () => {
  const { clock, state, of } = open(['a', 'b'])
  state.reading = new Set(['b', 'gone'])
  await expect(of('a').ask('cost', 'unknown')).rejects.toMatchObject({
    fault: { kind: 'input', detail: 'scope: unknown' },
  })
  const asked = of('a').ask('cost', 'all')
  const rejected = expect(asked).rejects.toMatchObject({ fault: { kind: 'timeout' } })
  await clock.advance(5_000)
  await rejected
  state.isAway = true
  await expect(of('a').ask('cost', 'all')).rejects.toMatchObject({ fault: { kind: 'team-away' } })
})

test('an answer that comes twice, late, or to nobody’s question counts once', async () => {
  const { clock, state, of } = open(['a'])
  state.reading = new Set(['b', 'c'])
  const asked = of('a').ask('hours', null)
  await settle()
  const [question] = state.told
  const id = question?.is === 'question' ? question.id : ''
  const reply = (member: string, value: number) =>
    of('a').heard({ is: 'reply', question: id, member, what: 'hours', value })
  of('a').heard({ is: 'reply', question: 'other', member: 'b', what: 'hours', value: 0 })
  reply('b', 1)
  reply('b', 2)
  reply('stranger', 3)
  reply('c', 4)
  expect(await asked).toEqual([1, 4])
  reply('c', 5)
  await clock.advance(10_000)
})

test('what waits for an answer ends with the team', async () => {
  const { state, of } = open(['a'])
  state.reading = new Set(['b'])
  const asked = of('a').ask('hours', null)
  const rejected = expect(asked).rejects.toMatchObject({ fault: { kind: 'stopped' } })
  of('a').stop()
  await rejected
})

test('points that any member asked for are known to all for half a minute', async () => {
  const { clock, state, of } = open(['a', 'b', 'c', 'd'])
  state.reading = new Set(['b', 'c'])
  const asked = () => state.told.filter(({ is }) => is === 'question').length
  expect(await of('a').ask('hours', null)).toEqual(['b: hours null', 'c: hours null'])
  expect(await of('d').ask('hours', null)).toEqual(['b: hours null', 'c: hours null'])
  expect(asked()).toBe(1)
  await clock.advance(30_000)
  await of('d').ask('hours', null)
  expect(asked()).toBe(2)
  // Whoever reads since then was not asked yet.
  state.reading.add('a')
  expect(await of('d').ask('hours', null)).toContain('a: hours null')
  expect(asked()).toBe(3)
  // What a place costs is asked anew.
  await of('d').ask('cost', 'all')
  await of('d').ask('cost', 'all')
  expect(asked()).toBe(5)
})
