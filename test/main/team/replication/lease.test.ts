import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LeaseStore } from '../../../../src-main/team/lead/lease-store.ts'
import { openLease, type Lease } from '../../../../src-main/team/lead/lease.ts'
import { systemClock } from '../../../../src-shared/lib/clock.ts'

test('a member that stops while it takes the lease does not lead, and gives it back', async () => {
  const opened = Promise.withResolvers<Lease>()
  const stopped = Promise.withResolvers<void>()
  const calls: string[] = []
  const store: LeaseStore = {
    look: async () => null,
    async take() {
      const lease = await opened.promise
      void lease.release().then(stopped.resolve)
      return { term: 1, last: 0, revision: 0 }
    },
    renew: async () => ({ revision: 0 }),
    release: async ({ term }) => void calls.push(`release of term ${term}`),
  }
  const lease = openLease({
    store,
    clock: systemClock,
    subject: 'a credential set',
    member: randomUUID(),
    random: () => 0,
    onLead: () => calls.push('lead'),
    onFollow: () => calls.push('follow'),
  })
  opened.resolve(lease)
  await stopped.promise
  expect(lease.leadership()).toBeNull()
  expect(calls).toEqual(['release of term 1'])
})
