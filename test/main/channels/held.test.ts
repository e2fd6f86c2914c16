import { describe, expect, test } from 'vitest'
import { heldReason, heldReasons, look, type Present } from '../../../src-main/channels/held.ts'
import type { Incident } from '../../../src-main/incidents/engine/incident.ts'
import { emptyState } from '../../../src-main/incidents/engine/state.ts'
import type { StoredDelivery } from '../../../src-main/incidents/stored/delivery.ts'
import type { Notification } from '../../../src-shared/model/inventory.ts'
import { begin, deliveryOf, notificationOf } from '../../support/deliveries.ts'

const minute = 60_000
const all = { notifyOffline: true, notifyRecovered: true, notifyMonitoringLost: true }

/** An open incident with so many devices down. */
const incident = (down: number, more: Partial<Incident['operator']> = {}) =>
  ({
    id: 'i1',
    closedAt: null,
    splitFrom: null,
    extent: { down, unseen: 1 },
    operator: { acknowledged: null, snoozed: null, assigned: null, ...more },
  }) as unknown as Incident

const present = (over: Partial<Present> = {}, one: Incident = incident(1)): Present => ({
  state: { ...emptyState, incidents: new Map([[one.id, one]]) },
  rules: all,
  looking: { since: begin - 60 * minute, at: begin },
  now: begin,
  ...over,
})

/** A message that waited for ten minutes. */
const waited = (over: Partial<StoredDelivery> = {}) =>
  deliveryOf('a', { at: begin - 10 * minute, dueAt: begin, unlessTaken: true, ...over })

test('what waited is sent while its incident is open, and nobody has it', () => {
  expect(heldReason(waited(), present())).toBeNull()
})

describe('somebody has it', () => {
  test.each(['acknowledged', 'snoozed', 'assigned'])('%s', (how) => {
    const marked = incident(1, { [how]: { at: 1 } })
    expect(heldReason(waited(), present({}, marked))).toBe(heldReasons.taken)
    expect(heldReason(waited({ attempts: 1 }), present({}, marked))).toBeNull()
    expect(heldReason(waited({ unlessTaken: false }), present({}, marked))).toBeNull()
  })
})

test('what is over is held by nothing: it is dropped', () => {
  const over = { ...emptyState, pause: { since: begin, until: begin + minute } }
  expect(heldReason(waited(), present({ state: over, rules: { ...all, notifyOffline: false } }))).toBeNull()
})

test('what tells of nothing open is held by no switch: it is dropped', () => {
  const rules = { ...all, notifyOffline: false }
  expect(heldReason(waited({ begins: false, unlessTaken: false }), present({ rules }))).toBeNull()
})

test('a pause holds whatever waited, and nothing that was to be sent at once', () => {
  const state = { ...emptyState, pause: { since: begin, until: begin + minute } }
  const recovery = waited({ unlessTaken: false, begins: false })
  expect(heldReason(recovery, present({ state }))).toBe(heldReasons.paused)
  expect(heldReason(recovery, present({ state, now: begin + minute }))).toBeNull()
  expect(heldReason(deliveryOf('a'), present({ state }))).toBeNull()
})

describe('a switch holds what waited of its kind', () => {
  const kinds: [Notification['kind'], keyof typeof all][] = [
    ['offline', 'notifyOffline'],
    ['flapping', 'notifyOffline'],
    ['recovered', 'notifyRecovered'],
    ['unlisted', 'notifyRecovered'],
    ['monitoring-lost', 'notifyMonitoringLost'],
    ['monitoring-restored', 'notifyMonitoringLost'],
  ]
  test.each(kinds)('%s: %s', (kind, name) => {
    const row = waited({ notification: notificationOf({ kind }) })
    for (const other of Object.keys(all))
      expect([other, heldReason(row, present({ rules: { ...all, [other]: false } }))]).toEqual([
        other,
        other === name ? heldReasons.off : null,
      ])
  })
})

describe('after a start', () => {
  const started = (ms: number) => ({ looking: { since: begin - ms, at: begin } })

  test('what is open is looked at for a minute, or ten where no device is seen to be down', () => {
    const reasonAfter = (ms: number, down: number) => heldReason(waited(), present(started(ms), incident(down)))
    expect([reasonAfter(minute - 1, 1), reasonAfter(minute, 1)]).toEqual([heldReasons.unread, null])
    expect([reasonAfter(10 * minute - 1, 0), reasonAfter(10 * minute, 0)]).toEqual([heldReasons.unread, null])
  })

  test('what was to be sent at once is, and what does not say that it is open', () => {
    expect(heldReason(deliveryOf('a'), present(started(0)))).toBeNull()
    expect(heldReason(waited({ unlessTaken: false }), present(started(0)))).toBeNull()
  })
})

describe('a look', () => {
  test.each([
    ['after some time begins nothing', 2 * minute, begin - 60 * minute],
    ['after a long time is one after a sleep', 4 * minute, begin + 4 * minute],
    ['by a clock that was set back before its beginning begins anew', -2 * 60 * minute, begin - 2 * 60 * minute],
  ])('%s', (_what, ms, since) => {
    const looking = { since: begin - 60 * minute, at: begin }
    look(looking, begin + ms)
    expect(looking).toEqual({ since, at: begin + ms })
  })
})
