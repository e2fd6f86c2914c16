import { afterEach, expect, test } from 'vitest'
import {
  connectionTo,
  createLeftovers,
  acceleratedClock,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function setup() {
  const reference = await service(leftovers, {
    devices: 40,
    tenants: 2,
    profile: 'contrary',
    life: false,
    contrary: { http: 'h2' },
  })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock: acceleratedClock(20) })
  const totals = async () => {
    const { counts } = await muster.call('inventory.counts', { scope: 'all' })
    return { known: (counts?.connected ?? 0) + (counts?.disconnected ?? 0), unknown: counts?.unknown }
  }
  return { reference, muster, totals }
}

test('a service that speaks HTTP/2 alone, its stream at another port, is read and live', async () => {
  const { reference, muster, totals } = await setup()
  await muster.call('connections.save', connectionTo(reference))
  const state = await whenRead(muster)
  expect(state.faults).toEqual([])
  expect(await totals()).toEqual({ known: 40, unknown: 0 })
})

test('it is read again after its connections broke and its port was closed for a while', async () => {
  const { reference, muster, totals } = await setup()
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  await reference.misfortune.pause()
  await whenConnection(muster, ({ link }) => link.state !== 'live')
  await reference.misfortune.resume()
  await whenRead(muster)
  await muster.call('sync.start', { scope: 'all' })
  await until(async () => expect(await totals()).toEqual({ known: 40, unknown: 0 }))
})

test('polling replaces the live connection where the stream speaks HTTP/2 alone too', async () => {
  const { reference, muster, totals } = await setup()
  const subscriptionUrl = reference.graphqlUrl.replace('https:', 'wss:')
  await muster.call('connections.save', connectionTo(reference, { subscriptionUrl }))
  const { link, faults } = await whenConnection(
    muster,
    (state) => state.link.state === 'polling' && state.link.failing !== undefined && state.link.readAt !== undefined,
  )
  expect(link).toMatchObject({ failing: { kind: 'protocol' } })
  const [shown, ...others] = faults.map(({ where, fault }) => [where, fault.kind, fault.detail])
  expect([shown?.[0], shown?.[1], others]).toEqual(['the live connection', 'protocol', []])
  expect(shown?.[2]).toMatch(/: it speaks no HTTP\/1\.1, which a live connection needs$/)
  await until(async () => expect(await totals()).toEqual({ known: 40, unknown: 0 }))
}, 60_000)
