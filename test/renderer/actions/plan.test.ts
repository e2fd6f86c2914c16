import { expect, test } from 'vitest'
import { jobPlan } from '../../../src-shared/model/jobs.ts'
import { createZones } from '../../../src-shared/maintenance/zones.ts'
import { fieldsOf, firstPlan, planOf } from '../../../src-renderer/actions/sheet/plan.ts'

const zones = createZones()
const now = Date.UTC(2026, 2, 4, 12)
const context = { zones, zone: 'Europe/Berlin', now }

test('the first plan is now, without batches, and without devices in a call', () => {
  const { plan } = planOf(firstPlan, context)
  expect(jobPlan.parse(plan)).toEqual({ batch: null, waitMinutes: 10, stopAfter: null, at: null, includeInCall: false })
})

test('batches, waiting and stopping are what was entered', () => {
  const { plan } = planOf({ ...firstPlan, rolling: true, batch: ' 5 ', waitMinutes: '15', stopAfter: '2' }, context)
  expect(plan).toMatchObject({ batch: 5, waitMinutes: 15, stopAfter: 2 })
  expect(planOf({ ...firstPlan, rolling: true, stops: false }, context).plan).toMatchObject({ stopAfter: null })
})

test.each(['0', '-1', '1.5', '', 'ten', '121'])('“%s” minutes are no plan', (waitMinutes) => {
  const { plan, problems } = planOf({ ...firstPlan, waitMinutes }, context)
  expect(plan).toBeNull()
  expect(problems.get('waitMinutes')).toBe('Enter a whole number from 1 to 120.')
})

test('a start is in the zone of the place', () => {
  const draft = { ...firstPlan, start: 'at', date: '2026-03-04', time: '22:00' } as const
  expect(planOf(draft, context).plan?.at).toBe(Date.UTC(2026, 2, 4, 21))
  expect(fieldsOf(Date.UTC(2026, 2, 4, 21), context)).toEqual({ date: '2026-03-04', time: '22:00' })
})

test.each([
  ['', '22:00', 'Choose a date.'],
  ['2026-03-04', '25:00', 'Enter a time of day, as 22:00.'],
  ['2026-03-04', '9.00', 'This time is over.'],
  ['2026-05-04', '22:00', 'Choose a time within 31 days.'],
])('a start on “%s” at “%s” is rejected: %s', (date, time, problem) =>
  expect(planOf({ ...firstPlan, start: 'at', date, time }, context).problems.get('at')).toBe(problem),
)
