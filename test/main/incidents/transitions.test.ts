import { expect, test } from 'vitest'
import { notifiedIncident, suspectDrop, type Drop } from '../../../src-main/incidents/engine/drops/drop.ts'
import { alertRulesOf } from '../../../src-main/incidents/engine/rules.ts'
import { emptyState } from '../../../src-main/incidents/engine/state.ts'
import { applyTransitions } from '../../../src-main/incidents/engine/drops/transitions.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'

const rules = alertRulesOf(defaultSettings(false), {
  nodes: new Map(),
  maintenanceAt: () => null,
  maintenanceUntil: () => null,
  endedMaintenance: () => null,
})
const member = { key: 'd', at: 1_000, notBefore: null, thresholds: null, incident: 'i', lastDrop: null }
const back = { at: 3_000, notBefore: null }
const notified = { notified: true as const }
const unnotified = { notified: false as const, pendingRecovery: 'before' }

const drops = {
  suspect: suspectDrop(member),
  'pending suspect': suspectDrop(member, 'before'),
  down: { ...member, ...unnotified, kind: 'down', droppedAgain: false, expected: null },
  recovering: {
    ...member,
    ...notified,
    kind: 'recovering',
    back,
    isBlocked: true,
    droppedAgain: false,
    expected: null,
  },
  recovered: { ...member, kind: 'recovered', back },
  flapping: { ...member, ...notified, kind: 'flapping', back: null, isBlocked: true, expected: null },
} as const satisfies Record<string, Drop>

/** The drop after a transition at 5,000 ms. */
function after(name: keyof typeof drops, connected: boolean): Drop | undefined {
  const state = { ...emptyState, drops: new Map<string, Drop>([['d', drops[name]]]) }
  return applyTransitions(state, [{ key: 'd', at: 5_000, notBefore: null, connected }], 9_000, rules).state.drops.get(
    'd',
  )
}

const now = { at: 5_000, notBefore: null }

test.each([
  ['suspect', undefined],
  ['pending suspect', { kind: 'recovered', incident: 'before', back: now, lastDrop: { at: 1_000, notBefore: null } }],
  ['down', { kind: 'recovering', back: now, isBlocked: false, notified: false, pendingRecovery: 'before' }],
  ['recovering', drops.recovering],
  ['recovered', drops.recovered],
  ['flapping', { kind: 'flapping', back: now, isBlocked: false }],
] as const)('a %s drop that comes up', (name, expected) => {
  if (expected === undefined) expect(after(name, true)).toBeUndefined()
  else expect(after(name, true)).toMatchObject(expected)
})

test.each([
  ['suspect', { kind: 'suspect', at: 5_000, pendingRecovery: null }],
  ['pending suspect', { kind: 'suspect', at: 5_000, pendingRecovery: 'before' }],
  ['down', { kind: 'down', at: 1_000, lastDrop: now, droppedAgain: false, pendingRecovery: 'before' }],
  ['recovering', { kind: 'down', at: 1_000, lastDrop: now, droppedAgain: false, notified: true }],
  ['recovered', { kind: 'down', at: 5_000, lastDrop: now, droppedAgain: true, notified: true }],
  ['flapping', { kind: 'flapping', at: 1_000, lastDrop: now, back: null, isBlocked: true }],
] as const)('a %s drop that goes down', (name, expected) => {
  expect(after(name, false)).toMatchObject(expected)
})

test('the incident in which a device was last notified to be down', () => {
  expect(Object.values(drops).map(notifiedIncident)).toEqual([null, 'before', 'before', 'i', 'i', 'i'])
})
