import { expect, test } from 'vitest'
import { addedCosts } from '../../../src-main/connections/elsewhere.ts'
import type { Cost, RefreshCost } from '../../../src-shared/model/gauge.ts'

const cost = (over: Partial<Cost> = {}): Cost => ({ points: 10, devices: 5, windows: 1, ms: 300, known: true, ...over })
const part = (tenants: number, status: Cost | null, over: Partial<Cost> = {}): RefreshCost => ({
  full: { ...cost(over), tenants },
  status,
})
const nothing: RefreshCost = {
  full: { points: 0, devices: 0, windows: 0, ms: 0, known: false, tenants: 0 },
  status: null,
}

test('the costs of what members read are added, and their waits are at the same time', () => {
  expect(addedCosts([part(2, cost()), part(1, cost({ points: 1 }), { windows: 3, ms: 9_000 }), nothing])).toEqual({
    full: { points: 20, devices: 10, windows: 3, ms: 9_000, known: true, tenants: 3 },
    status: { points: 11, devices: 10, windows: 1, ms: 300, known: true },
  })
})

test('one cost that is a guess makes the sum a guess', () => {
  expect(addedCosts([part(1, null), part(1, null, { known: false })]).full.known).toBe(false)
})

test('the status of a place has a cost where it is offered for all of its devices', () => {
  expect(addedCosts([part(1, cost()), part(1, null)]).status).toBeNull()
  expect(addedCosts([part(1, cost()), nothing]).status).toEqual(cost())
})

test('where nobody reads a scope, nothing can be refreshed', () => {
  expect(addedCosts([nothing, nothing])).toEqual(nothing)
})
