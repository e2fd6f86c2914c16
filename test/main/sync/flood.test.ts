import { expect, onTestFinished, test } from 'vitest'
import { callsOn } from '../../../src-main/inventory/thread/calls.ts'
import type { Change } from '../../../src-main/inventory/thread/change.ts'
import type { LiveEvent } from '../../../src-main/inventory/thread/update-protocol.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { createEventQueues } from '../../../src-main/sync/events/events.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { acme, connection, fact, key, pageOf, query, service, tempProfile } from '../inventory/profile.ts'

const many = 200

/** 1.3 million events of 200 devices come in one burst, on the real journal and cache. */
test('of 1.3 million changes in a burst none is entered twice, and lost ones are reconciled', async () => {
  const temp = tempProfile()
  const calls = callsOn(openStore(temp.profile, 1, 0))
  onTestFinished(() => {
    calls.close(undefined)
    temp.remove()
  })
  const ids = Array.from({ length: many }, (_, at) => `d${at}`)
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
  calls.page(
    pageOf(
      ids.map((id) => fact(id)),
      { connection },
    ),
  )
  calls.visibility({ service, connection, tenants: [acme.id], visible: true, confirmedAt: 0, visibleSince: 0 })
  const entered: Change['transitions'] = []
  const lost = new Set<string>()
  let written = 0
  const clock = manualClock()
  const queue = createEventQueues().start({
    service,
    clock,
    onFault: () => {},
    async commit(events: LiveEvent[]) {
      written += events.length
      return calls.events({ service, events })
    },
    publish(change) {
      for (const each of change.transitions) entered.push(each)
      // As the spread of 1.3 million transitions into an argument list did.
      throw new RangeError('Maximum call stack size exceeded')
    },
    onPublishFault: () => {},
    onLost: (all) => {
      for (const id of all) lost.add(id)
    },
  })
  // Every second event of a device has the other status; the last of all is "offline".
  const rounds = 1_300_000 / many
  let order = 1
  for (let round = 1; round <= rounds; round += 1) {
    for (const id of ids)
      queue.push({
        id,
        tenant: acme.id,
        connected: round === rounds ? false : round % 2 === 0,
        name: null,
        order: ++order,
        at: 2_000 + round,
      })
  }
  while (!queue.isWritten()) await settle()
  await clock.advance(60_000)
  expect(written).toBe(20_000)
  expect(lost.size).toBe(many)
  // Each accepted event is one transition.
  expect(entered).toHaveLength(20_000)
  const { device } = calls.device({ key: key('d0') })
  expect(device?.row.connected).toBe(true)
  calls.subscriptionLost({ service, connection, ids: [...lost], at: 9_000 })
  expect(calls.counts({ scope: 'all' }).counts).toMatchObject({ unknown: many })
  calls.reconciliation({
    service,
    tenant: acme.id,
    requestOrder: ++order,
    at: 10_000,
    devices: ids.map((id) => ({ id, connected: false, lastDetected: null })),
  })
  expect(calls.counts({ scope: 'all' }).counts).toEqual({ connected: 0, disconnected: many, unknown: 0 })
  expect(calls.rows({ query: query({}), offset: 0, limit: 1, now: 10_000 }).rows[0]?.since?.kind).toBe('at-least')
})
