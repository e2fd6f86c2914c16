import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../../src-main/storage/journal/journal.ts'
import type { StoredHandover } from '../../../../src-main/storage/journal/shift-handovers.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

let journal: Journal
beforeEach(() => {
  journal = openJournal(temporaryProfile(leftovers), 0)
  leftovers.push(() => journal.close())
})

const handover = (id: string, over: Partial<StoredHandover> = {}): StoredHandover => ({
  id,
  at: 1000,
  from: 'Ann',
  to: 'Ben',
  since: 100,
  until: 900,
  note: 'Ring "Initech"',
  text: '# Shift handover',
  accepted: null,
  tenants: ['s/t', 's/u'],
  ...over,
})

const ids = () => journal.shiftHandovers.list().map((one) => (one as { id: string }).id)

test('handovers are listed without their texts, the newest first and at most fifty', () => {
  journal.shiftHandovers.save(handover('a'))
  journal.shiftHandovers.save(handover('b', { at: 2000 }))
  const { text: _text, tenants: _tenants, ...listed } = handover('a')
  expect(journal.shiftHandovers.list()).toEqual([{ ...listed, id: 'b', at: 2000 }, listed])
  expect(journal.shiftHandovers.one('a')).toEqual(handover('a'))
  expect(journal.shiftHandovers.one('unknown')).toBeNull()
  for (let count = 0; count < 60; count += 1) journal.shiftHandovers.save(handover(`n${count}`, { at: 3000 + count }))
  expect(ids()).toHaveLength(50)
  expect(ids()[0]).toBe('n59')
})

test('a handover is written once, and accepted once by whom it is for', () => {
  const { save, one, accept } = journal.shiftHandovers
  save(handover('a'))
  save(handover('a', { note: 'again' }))
  accept({ id: 'a', at: 1100, by: 'Ann' })
  expect(one('a')).toEqual(handover('a'))
  accept({ id: 'a', at: 1200, by: 'Ben' })
  accept({ id: 'a', at: 1300, by: 'Ben' })
  accept({ id: 'unknown', at: 1300, by: 'Ben' })
  expect(one('a')).toEqual(handover('a', { accepted: { at: 1200, by: 'Ben' } }))
})

test('a handover that may be about an erased tenant or device goes', () => {
  journal.shiftHandovers.save(handover('both'))
  journal.shiftHandovers.save(handover('other', { tenants: ['s/tt', 's/t2'] }))
  journal.shiftHandovers.save(handover('none', { tenants: [] }))
  journal.shiftHandovers.save(handover('device', { tenants: ['s/v'] }))
  journal.forget(['s/t/'], ['s/v/device'])
  expect(ids().toSorted()).toEqual(['none', 'other'])
})

test('a damaged handover is left out, and goes with any erasure', () => {
  journal.shiftHandovers.save(handover('whole', { tenants: ['s/x'] }))
  journal.db.exec("INSERT INTO shift_handover VALUES ('damaged', 1, '{'), ('foreign', 2, '{}')")
  expect(ids()).toEqual(['whole', 'foreign'])
  expect(journal.shiftHandovers.one('damaged')).toEqual({ id: 'damaged', at: 1 })
  journal.shiftHandovers.accept({ id: 'damaged', at: 2, by: 'Ben' })
  journal.forget(['s/t/'], [])
  expect(journal.tables().find(({ name }) => name === 'shift_handover')?.rows).toBe(1)
})

test('handovers older than 400 days are deleted', () => {
  const day = 24 * 3600_000
  const now = 1000 * day
  journal.shiftHandovers.save(handover('old', { at: now - 401 * day }))
  journal.shiftHandovers.save(handover('young', { at: now - 399 * day }))
  expect(journal.prune(now)).toBe(1)
  expect(ids()).toEqual(['young'])
})
