import { entryOf } from '../../support/messages.ts'
import { afterEach, expect, test } from 'vitest'
import { incident } from '../../../src-main/incidents/engine/incident.ts'
import { openIncidentService } from '../../../src-main/incidents/service/service.ts'
import { createNotifier } from '../../../src-main/notifications/notify.ts'
import { openPolicies } from '../../../src-main/policies/policies.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { known, only, open, openWorld, stored, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (plan = usual): Promise<World> => openWorld(leftovers, plan)
const minute = 60_000

/** A site with two rooms that stay down, and one that is back soon. */
const threeRooms = { acme: { rome: { a: 4, b: 4, c: 20 } } }

async function splitInTwo(it: World): Promise<void> {
  await it.back(...it.ids('rome').filter((id) => id.startsWith('rome-c')))
  await it.clock.advance(2 * minute)
  expect(open(it)).toHaveLength(2)
}

const assign = (it: World, to: string | null, by = 'Ben') =>
  it.alerts().mark([{ id: only(it).id, assigned: to === null ? null : { at: it.clock.now(), to, by } }])

/** The service of the calls about incidents, over a world. */
async function serviceOf({ calls, clock, alerts }: World) {
  type Calls = ReturnType<World['calls']>
  const data = {
    closedIncidents: async (input: Parameters<Calls['closedIncidents']>[0]) => calls().closedIncidents(input),
    storedIncident: async (input: { id: string }) => calls().storedIncident(input),
    incidentMembers: async (input: Parameters<Calls['incidentMembers']>[0]) => calls().incidentMembers(input),
    recurrence: async (input: Parameters<Calls['recurrence']>[0]) => calls().recurrence(input),
    savePolicies: async (input: Parameters<Calls['savePolicies']>[0]) => calls().savePolicies(input),
    action: async (input: { id: number }) => calls().action(input),
    markUndone: async (input: { id: number }) => calls().markUndone(input),
    policies: async () => calls().policies(undefined),
    policyPlaces: async (input: { nodes: string[] }) => calls().policyPlaces(input),
    locations: async (input: Parameters<Calls['locations']>[0]) => calls().locations(input),
  }
  return openIncidentService({
    explain: createNotifier('electron').explain,
    data,
    clock,
    runner: alerts(),
    policies: await openPolicies({ data, clock, onChange: () => {} }),
    connections: () => [],
  })
}

const entriesOf = (it: World, id: string) =>
  (stored(it, id)?.events ?? []).map(entryOf).filter(([what]) => what.endsWith('assigned'))

test('an assignment silences nothing, is in the history and outlives a restart', async () => {
  const it = await world()
  await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
  await it.clock.advance(2 * minute)
  const { id } = only(it)
  for (const to of ['Ann', 'Ben', null, 'Ann']) {
    await assign(it, to)
    await it.clock.advance(1000)
  }
  expect(entriesOf(it, id)).toEqual([
    ['assigned', 'Ann, by Ben'],
    ['assigned', 'Ben'],
    ['unassigned', ''],
    ['assigned', 'Ann, by Ben'],
  ])
  await it.restart()
  await it.see()
  expect(only(it).operator.assigned).toMatchObject({ to: 'Ann', by: 'Ben' })
  it.lines()
  await it.back(...it.ids('berlin'))
  await it.clock.advance(5 * minute)
  expect(it.titles()).toEqual(['4 devices are back in Room a'])
})

test('an assignment goes along with the parts of an incident that is split', async () => {
  const it = await world(threeRooms)
  await it.drop(...it.ids('rome'))
  await it.clock.advance(2 * minute)
  await assign(it, 'Ann')
  await splitInTwo(it)
  expect(open(it).map(({ operator }) => operator.assigned?.to)).toEqual(['Ann', 'Ann'])
})

test('an assignment ends where an incident grows beyond its place, and the history says so', async () => {
  const it = await world()
  await it.drop('berlin-a-1')
  await it.clock.advance(2 * minute)
  const { id } = only(it)
  await assign(it, 'Ann')
  await it.drop(...it.ids('berlin'))
  await it.clock.advance(2 * minute)
  expect(only(it)).toMatchObject({ id, operator: { assigned: null } })
  expect(entriesOf(it, id).at(-1)).toEqual(['unassigned', 'it has grown beyond what was known'])
  expect((stored(it, id)?.events ?? []).map(({ what }) => what)).not.toContain('unacknowledged')
})

test('an assignment stays when an incident is acknowledged, and when that ends', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  const { id } = only(it)
  await assign(it, 'Ann')
  await it.alerts().mark([{ id, ...known(it) }])
  await it.alerts().mark([{ id, acknowledged: null, snoozed: null }])
  expect(only(it).operator).toMatchObject({ acknowledged: null, assigned: { to: 'Ann' } })
})

test('an incident of an older journal is assigned to nobody', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  const one = only(it)
  const { acknowledged, snoozed } = one.operator
  expect(incident.parse({ ...one, operator: { acknowledged, snoozed } }).operator.assigned).toBeNull()
})

test('undo brings back who an incident was assigned to before', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  const { id } = only(it)
  const service = await serviceOf(it)
  const to = (name: string) => ({ assigned: { at: it.clock.now(), to: name, by: 'Ben' } })
  await service.mark([id], to('Ann'))
  const { undo } = await service.mark([id], to('Ben'))
  expect(service.marks([id, 'unknown'])).toMatchObject([{ id, acknowledged: null, assigned: { to: 'Ben' } }])
  await service.undo(undo)
  expect(service.marks([id])).toMatchObject([{ assigned: { to: 'Ann' } }])
  await expect(service.undo(undo)).rejects.toThrow('nothing to undo')
})

test('undo of an assignment takes it from the parts that were split off, too', async () => {
  const it = await world(threeRooms)
  await it.drop(...it.ids('rome'))
  await it.clock.advance(2 * minute)
  const service = await serviceOf(it)
  const { undo } = await service.mark([only(it).id], { assigned: { at: it.clock.now(), to: 'Ann', by: 'Ann' } })
  await splitInTwo(it)
  const assigned = () => service.marks(open(it).map(({ id }) => id)).map((one) => one.assigned?.to)
  expect(assigned()).toEqual(['Ann', 'Ann'])
  await service.undo(undo)
  expect(assigned()).toEqual([undefined, undefined])
})
