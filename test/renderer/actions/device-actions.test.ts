import { expect, test } from 'vitest'
import { createDeviceActions } from '../../../src-renderer/actions/device-actions.ts'
import { subjectOf, subjectOfIncident } from '../../../src-renderer/actions/entries/subject.ts'
import { startSession } from '../../../src-renderer/lib/session.ts'
import { maxTargets } from '../../../src-shared/model/jobs.ts'
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
  const name = (key: string) => `name of ${key}`
  const some = (...keys: string[]) => ({ what: 'some', keys: new Set(keys) }) as const
  expect(subjectOf({ what: 'all' }, 'a', query, name)).toEqual({ targets: { query }, name: null })
  expect(subjectOf(some('b', 'c'), 'a', query, name)).toEqual({ targets: { keys: ['b', 'c'] }, name: null })
  expect(subjectOf({ what: 'none' }, 'a', query, name)).toEqual({ targets: { keys: ['a'] }, name: 'name of a' })
  expect(subjectOf({ what: 'none' }, null, query, name)).toBeNull()
  const many = Array.from({ length: maxTargets + 1 }, (_, index) => String(index))
  expect(subjectOf({ what: 'some', keys: new Set(many) }, null, query, name)).toBeNull()
})

test('the devices of an incident are all of its members, page by page', async () => {
  const members = Array.from({ length: 700 }, (_, index) => ({ key: `k${index}` }))
  const { pipe } = corePipe({
    'incidents.members': (input) => {
      const { offset, limit } = input as { offset: number; limit: number }
      return { total: members.length, rows: members.slice(offset, offset + limit) }
    },
  })
  const incident = { id: 'i', places: [{ name: 'Berlin' }] } as unknown as Incident
  const subject = await subjectOfIncident(pipe, incident)
  expect(subject).toEqual({ targets: { keys: members.map(({ key }) => key) }, name: 'Berlin' })
})
