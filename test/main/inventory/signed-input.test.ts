import { afterEach, beforeEach, expect, test } from 'vitest'
import { signedInput } from '../../../src-main/inventory/thread/signed-input.ts'
import { openJournal, type Journal } from '../../../src-main/storage/journal/journal.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'

const leftovers = createLeftovers()
let journal: Journal
beforeEach(() => {
  journal = openJournal(temporaryProfile(leftovers), 0)
  leftovers.push(() => journal.close())
})
afterEach(() => leftovers.clean())

const signed = (call: string, input: unknown, role: string) => signedInput(journal.memberNames, call, input, role)

test('a name belongs to the login that used it first, and another one signs with its own', () => {
  expect(signed('claimName', { name: 'Ann' }, 'ann')).toEqual({ name: 'Ann' })
  const note = { node: 'd:a', text: 'x', at: 1, by: 'Ann' }
  expect(signed('saveNote', note, 'ann')).toEqual(note)
  expect(signed('saveNote', note, 'ben')).toEqual({ ...note, by: 'Ann (ben)' })
  expect(signed('tag', { by: 'Ben' }, 'ben')).toEqual({ by: 'Ben' })
  expect(signed('acceptHandover', { id: 'h', at: 1, by: 'Ben' }, 'ann')).toEqual({ id: 'h', at: 1, by: 'Ben (ann)' })
})

test('the owner of a job is signed, and nothing else of it', () => {
  const job = { record: { id: 'j', owner: { member: 'm', operator: 'Ann' } }, targets: [1, 2] }
  signed('claimName', { name: 'Ann' }, 'ann')
  for (const call of ['createJob', 'saveJob'])
    expect(signed(call, job, 'ben')).toEqual({
      record: { id: 'j', owner: { member: 'm', operator: 'Ann (ben)' } },
      targets: [1, 2],
    })
  expect(signed('createJob', { record: { id: 'j' }, targets: [] }, 'ben')).toEqual({ record: { id: 'j' }, targets: [] })
})

test.each([null, 'text', 7, [], {}, { by: 5 }, { by: null }, { record: 'x' }])(
  'nonsense stays what it is: %j',
  (input) => {
    for (const call of ['saveNote', 'createJob', 'takeJob', 'page']) expect(signed(call, input, 'ann')).toEqual(input)
  },
)

test('a very long name is cut, so that the table stays small', () => {
  expect(signed('claimName', { name: 'a'.repeat(100_000) }, 'ann')).toEqual({ name: 'a'.repeat(200) })
})
