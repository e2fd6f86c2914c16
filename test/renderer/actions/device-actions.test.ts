import { expect, test } from 'vitest'
import { createDeviceActions } from '../../../src-renderer/actions/device-actions.ts'
import { subjectOf, subjectOfIncident } from '../../../src-renderer/actions/entries/subject.ts'
import { startSession } from '../../../src-renderer/lib/session.ts'
import { maxTargets, sizeReason } from '../../../src-renderer/actions/offers.ts'
import { maxTargets as sharedMaxTargets } from '../../../src-shared/model/jobs.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { appState, corePipe } from '../support/pipe-stub.ts'
import { actionsState, tenant } from './samples.ts'

const armedUntil = 1_000

test('an event that came after the query is newer than its answer', async () => {
  let answer = (_value: unknown) => {}
  const core = corePipe({ 'app.state': () => appState() })
  const call = core.pipe.call
  core.pipe.call = ((name: string, input: never) =>
    name === 'actions.state'
      ? new Promise<unknown>((resolve) => void (answer = resolve))
      : call(name as 'app.state', input)) as unknown as typeof call
  const actions = createDeviceActions(startSession(core.pipe, manualClock()))
  await settle()
  const armed = actionsState({ tenants: [{ ...tenant, armedUntil }] })
  await core.report('actions', armed)
  answer({ ok: true, value: actionsState() })
  await settle()
  expect(actions.state.get()).toBe(armed)
})

test('arming stops at the first fault, and reports it', async () => {
  const armed: unknown[] = []
  const core = corePipe({ 'app.state': () => appState(), 'actions.state': () => actionsState() })
  const call = core.pipe.call
  core.pipe.call = (async (name: string, input: { tenant: string }) => {
    if (name !== 'actions.arm') return call(name as 'app.state', input as never)
    armed.push(input.tenant)
    return input.tenant === 'b'
      ? { ok: false, fault: { kind: 'input', detail: 'no' } }
      : { ok: true, value: { until: 1 } }
  }) as typeof call
  const actions = createDeviceActions(startSession(core.pipe, manualClock()))
  expect(await actions.arm(['a', 'b', 'c'])).toEqual({ kind: 'input', detail: 'no' })
  expect(armed).toEqual(['a', 'b'])
})

test('an action is about the selection, or else the device at the cursor', () => {
  const query = { scope: 'all', filter: 'x', sort: [] }
  const listed = { query, total: 9 }
  const name = (key: string) => `name of ${key}`
  const some = (...keys: string[]) => ({ what: 'some', keys: new Set(keys) }) as const
  expect(subjectOf({ what: 'all' }, 'a', listed, name)).toEqual({ targets: { query }, name: null, count: 9 })
  expect(subjectOf(some('b', 'c'), 'a', listed, name)).toEqual({ targets: { keys: ['b', 'c'] }, name: null, count: 2 })
  const atCursor = { targets: { keys: ['a'] }, name: 'name of a', count: 1 }
  expect(subjectOf({ what: 'none' }, 'a', listed, name)).toEqual(atCursor)
  expect(subjectOf({ what: 'none' }, null, listed, name)).toBeNull()
})

test('more devices than one action takes are a reason against it', () => {
  expect(maxTargets).toBe(sharedMaxTargets)
  expect(sizeReason({ count: maxTargets })).toBe('')
  expect(sizeReason({ count: maxTargets + 1 })).toBe('At most 5,000 devices at a time.')
})

const incident = { id: 'i', places: [{ name: 'Berlin' }] } as unknown as Incident

/** Answers the pages of an incident's members. */
const withMembers = (members: readonly { key: string }[]) =>
  corePipe({
    'incidents.members': (input) => {
      const { offset, limit } = input as { offset: number; limit: number }
      return { total: members.length, rows: members.slice(offset, offset + limit) }
    },
  }).pipe
const membersOf = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `k${index}` }))

test('the devices of an incident are all of its members, page by page', async () => {
  const members = membersOf(1000)
  const keys = members.map(({ key }) => key)
  expect(await subjectOfIncident(withMembers(members), incident)).toEqual({
    ok: true,
    value: { targets: { keys }, name: 'Berlin', count: 1000 },
  })
})

test('an incident without devices, or with too many, is a fault and never a part of them', async () => {
  const detail = async (count: number) => {
    const subject = await subjectOfIncident(withMembers(membersOf(count)), incident)
    return subject.ok ? null : subject.fault
  }
  expect(await detail(0)).toEqual({ kind: 'input', detail: 'This incident has no devices now.' })
  expect(await detail(5001)).toEqual({ kind: 'input', detail: 'At most 5,000 devices at a time.' })
})

test('members that cannot be read are a fault, not an incident without devices', async () => {
  const { pipe } = corePipe({})
  pipe.call = (async () => ({ ok: false, fault: { kind: 'stopped', detail: '' } })) as never
  expect(await subjectOfIncident(pipe, incident)).toEqual({ ok: false, fault: { kind: 'stopped', detail: '' } })
})
