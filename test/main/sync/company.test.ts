import { afterEach, describe, expect, test } from 'vitest'
import type { Reply } from '../../../src-main/api/client.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { count, faultsOf, minute, openWorld, page, tenants, type Answer } from './bed.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A credential set that sees these devices of the one tenant; where the total is named, those who see the same are known. */
const listing =
  (...ids: string[]): Answer =>
  ({ name }) => {
    if (name === 'Tenants') return tenants(['a', 'Acme'])
    return name === 'Schema' ? null : page(ids, null, [], ids.length)
  }

describe('two connections that see different parts of a tenant', () => {
  async function openBoth() {
    const world = openWorld(leftovers)
    const dead = { now: false }
    const one = await world.connect('one', (request) =>
      dead.now ? new FaultError('connect') : listing('a1', 'a2')(request),
    )
    const other = await world.connect('other', listing('a3', 'a4', 'a5'))
    await world.clock.advance(2_000)
    return { ...world, one, other, dead, statuses: () => ['a1', 'a2', 'a3'].map(one.statusOf) }
  }

  test('devices that a failed one reads are unknown, whatever the other one sees', async () => {
    const { clock, one, dead, statuses } = await openBoth()
    expect(statuses()).toEqual(['connected', 'connected', 'connected'])
    dead.now = true
    one.link('waiting')
    await clock.advance(30 * minute)
    expect(statuses()).toEqual(['unknown', 'unknown', 'connected'])
    dead.now = false
    one.link('live')
    await clock.advance(10 * minute)
    expect(statuses()).toEqual(['connected', 'connected', 'connected'])
  })

  test('devices that a stopped one reads are unknown', async () => {
    const { clock, one, statuses } = await openBoth()
    await one.stop()
    expect(statuses()).toEqual(['unknown', 'unknown', 'connected'])
    await clock.advance(60 * minute)
    expect(statuses()).toEqual(['unknown', 'unknown', 'connected'])
  })
})

describe('a standby connection that left and came back', () => {
  async function openRejoined(...ids: string[]) {
    const world = openWorld(leftovers)
    const reader = await world.connect('reader', listing('a1', 'a2'))
    await world.clock.advance(1_000)
    const standby = await world.connect('standby', listing('a1', 'a2'))
    await world.clock.advance(1_000)
    expect(count(standby, 'Devices')).toBe(0)
    await standby.stop()
    const again = await world.connect('standby', listing(...ids))
    await world.clock.advance(1_000)
    const claimed = () => world.calls.ids({ service: 's', tenant: 'a', connection: 'standby' }).toSorted()
    return { ...world, reader, again, claimed }
  }

  test('with another view keeps its devices when the reader has read', async () => {
    const { clock, reader, again, claimed } = await openRejoined('a3', 'a4', 'a5')
    expect(claimed()).toEqual(['a3', 'a4', 'a5'])
    reader.sync.refresh(null)
    await clock.advance(10_000)
    expect(claimed()).toEqual(['a3', 'a4', 'a5'])
    expect(['a1', 'a3'].map(again.statusOf)).toEqual(['connected', 'connected'])
  })

  test('with the same view is a standby again', async () => {
    const { clock, reader, again, claimed } = await openRejoined('a1', 'a2')
    reader.sync.refresh(null)
    await clock.advance(10_000)
    expect(claimed()).toEqual(['a1', 'a2'])
    expect(count(again, 'Devices')).toBe(0)
  })
})

test('a request of the operator goes to the other connection when the reader cannot read', async () => {
  const world = openWorld(leftovers)
  let rejected = false
  const reader = await world.connect('reader', (request) =>
    rejected ? new FaultError('token') : listing('a1', 'a2')(request),
  )
  const standby = await world.connect('standby', listing('a1', 'a2'))
  await world.clock.advance(2_000)
  rejected = true
  reader.sync.refresh(new Set(['a']))
  await world.clock.advance(1_000)
  expect(count(standby, 'Devices')).toBe(1)
  expect(faultsOf(reader)).toEqual([['the service', 'token']])
  rejected = false
  await world.clock.advance(2 * minute)
  expect(faultsOf(reader)).toEqual([])
})

test('a tenant that a list names late, and another one reads, needs no reconciliation', async () => {
  const world = openWorld(leftovers)
  const both: [string, string][] = [
    ['a', 'Acme'],
    ['b', 'Berg'],
  ]
  const repliesWith =
    (list: () => Reply): Answer =>
    ({ name, tenant }) => {
      if (name === 'Tenants') return list()
      return name === 'Schema' ? null : page([`${tenant}1`], null, [], 1)
    }
  let partly = true
  await world.connect(
    'reader',
    repliesWith(() => tenants(...both)),
  )
  await world.clock.advance(2_000)
  const standby = await world.connect(
    'standby',
    repliesWith(() =>
      partly ? { ...tenants(['a', 'Acme']), errors: [{ message: 'down', code: null, path: null }] } : tenants(...both),
    ),
  )
  await world.clock.advance(10_000)
  partly = false
  await world.clock.advance(5 * minute)
  expect(world.calls.ids({ service: 's', tenant: 'b', connection: 'standby' })).toEqual(['b1'])
  expect(standby.sync.state().lastReadingAt).not.toBeNull()
  const before = count(standby, 'Tenants')
  await world.clock.advance(20 * minute)
  expect([count(standby, 'Tenants'), count(standby, 'Devices')]).toEqual([before, 0])
})
