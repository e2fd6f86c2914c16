import { expect, test } from 'vitest'
import { runInSlices } from '../../../src-main/incidents/cooperative.ts'
import { suspectDrop } from '../../../src-main/incidents/engine/drops/drop.ts'
import { keysToAsk, nextEvaluation } from '../../../src-main/incidents/engine/drops/due.ts'
import { evaluate } from '../../../src-main/incidents/engine/evaluate.ts'
import { alertRulesOf } from '../../../src-main/incidents/engine/rules.ts'
import { emptyState, type Observation } from '../../../src-main/incidents/engine/state.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { manualClock } from '../../support/clock.ts'

const rules = alertRulesOf(defaultSettings(false), {
  nodes: new Map(),
  maintenanceAt: () => null,
  maintenanceUntil: () => null,
  endedMaintenance: () => null,
})
const { holdOffMs } = rules.defaults
const key = 's/t/a'
const unread: Observation['tenants'][number] = {
  key: 's/t',
  id: 't:s/t',
  name: 'Acme',
  region: null,
  devices: 0,
  seen: true,
  unseen: 0,
  read: false,
  outdated: 0,
  seenSince: 0,
  lastSeen: 0,
  connections: ['c'],
  lastMessages: [],
}

/** The state after an evaluation at a time (ms) of a device that dropped at 0, and whose tenant was not read yet. */
async function evaluated(now: number) {
  const found = {
    asked: [key],
    devices: [],
    nodes: [],
    tenants: [unread],
    withdrawn: [],
    unlistedTenants: new Set<string>(),
  }
  const state = { ...emptyState, drops: new Map([[key, suspectDrop({ key, at: 0, notBefore: null })]]) }
  return (
    await runInSlices(
      evaluate(state, found, now, rules, function* () {}),
      manualClock(),
    )
  ).state
}

test('a device whose tenant was not read yet stays pending until its hold-off is over', async () => {
  const state = await evaluated(holdOffMs - 1)
  expect(nextEvaluation(state, rules, holdOffMs - 1)).toBe(holdOffMs)
  expect(keysToAsk(state, rules, holdOffMs, false)).toEqual([key])
})

test('after its hold-off it is kept, and is asked for only when everything is', async () => {
  const state = await evaluated(holdOffMs)
  expect([[...state.drops.keys()], nextEvaluation(state, rules, holdOffMs)]).toEqual([[key], null])
  expect([false, true].map((all) => keysToAsk(state, rules, holdOffMs, all))).toEqual([[], [key]])
})
