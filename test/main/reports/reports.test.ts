import { afterEach, expect, test } from 'vitest'
import { createNotifier } from '../../../src-main/notifications/notify.ts'
import { openIncidentService } from '../../../src-main/incidents/service/service.ts'
import { openPolicies } from '../../../src-main/policies/policies.ts'
import { ringLog } from '../../../src-main/reports/log-ring.ts'
import { longStandingOf } from '../../../src-main/incidents/service/long-standing.ts'
import { incidentEvidence, shiftHandover, type ReportDeps } from '../../../src-main/reports/reports.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { connection, tablesOf } from './text-cases.ts'
import { openWorld, usual, type World } from '../incidents/world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const minute = 60_000
const day = 24 * 60 * minute

const state = (id: string, name: string): ConnectionState => ({
  ...connection({ id, name }),
  demo: false,
  tokenUrl: 'https://id.test/token',
  clientId: 'client-of-mine',
  hasCa: false,
  portal: '',
  secret: 'keychain',
  sync: { state: 'idle' },
})

/** The reports' real dependencies, except the connections, which are not dialled. */
async function open(connections = [state('c', 'Acme'), state('other', 'Another customer')]) {
  const world = await openWorld(leftovers, usual)
  const calls = world.calls()
  const data = {
    closedIncidents: async (input: Parameters<typeof calls.closedIncidents>[0]) => calls.closedIncidents(input),
    storedIncident: async (input: { id: string }) => calls.storedIncident(input),
    incidentMembers: async (input: Parameters<typeof calls.incidentMembers>[0]) => calls.incidentMembers(input),
    recurrence: async (input: Parameters<typeof calls.recurrence>[0]) => calls.recurrence(input),
    savePolicies: async (input: Parameters<typeof calls.savePolicies>[0]) => calls.savePolicies(input),
    action: async (input: { id: number }) => calls.action(input),
    markUndone: async (input: { id: number }) => calls.markUndone(input),
    policies: async () => calls.policies(undefined),
    policyPlaces: async (input: { nodes: string[] }) => calls.policyPlaces(input),
    incidentsBetween: async (input: { from: number; until: number }) => calls.incidentsBetween(input),
    locations: async (input: Parameters<typeof calls.locations>[0]) => calls.locations(input),
    longStanding: async (input: Parameters<typeof calls.longStanding>[0]) => calls.longStanding(input),
    notesAbout: async (input: Parameters<typeof calls.notesAbout>[0]) => calls.notesAbout(input),
  }
  const policies = await openPolicies({ data, clock: world.clock, onChange: () => {} })
  const service = openIncidentService({
    explain: createNotifier('electron').explain,
    connections: () => [],
    data,
    clock: world.clock,
    runner: world.alerts(),
    policies,
  })
  const ring = ringLog(() => {}, world.clock)
  const deps: ReportDeps = {
    service,
    data,
    policies,
    longStanding: (input) => longStandingOf({ data, alerts: world.alerts(), clock: world.clock }, input),
    lines: ring.lines,
    connections: () => connections,
    totals: () => ({ connected: 50, disconnected: 4, unknown: 0 }),
    utc: () => true,
    clock: world.clock,
    version: '0.6.0',
  }
  return { world, deps, policies, service, log: ring.log }
}

/** Four devices of a room in Berlin go down, and an incident opens. */
async function roomDown(world: World): Promise<string> {
  await world.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
  await world.clock.advance(3 * minute)
  const [id] = [...world.alerts().state().incidents.keys()]
  if (id === undefined) throw new Error('no incident opened')
  return id
}

test('the report of an incident has its devices, history, queries and its connection', async () => {
  const { world, deps, log } = await open()
  log('info', 'Acme: live: connecting -> live')
  log('info', 'Another customer: live: connecting -> live')
  const id = await roomDown(world)
  world.calls().saveNote({ node: 's:test/acme/berlin', at: 1, text: 'Ring twice', contact: '', tags: [] })
  log('warn', 'Acme: live: live -> waiting')
  const text = await incidentEvidence(deps, id)
  expect(text).toContain('# Evidence: 4 devices offline in Room a\n')
  expect(
    tablesOf(text)[0]
      ?.slice(2)
      .map(([name, device, tenant]) => `${name} ${device} ${tenant}`)
      .sort(),
  ).toEqual([1, 2, 3, 4].map((n) => `Studio berlin-a-${n} \`berlin-a-${n}\` Acme \`acme\``))
  expect(
    tablesOf(text)[2]
      ?.slice(2)
      .map(([, what]) => what),
  ).toContain('opened')
  expect(text).toContain('| site Berlin |  |  | Ring twice |')
  expect(text).toContain('### Acme\n')
  expect(text).toMatch(/info Acme: live: connecting -> live\n.* warn Acme: live: live -> waiting\n/u)
  expect(text).not.toContain('Another customer')
  expect(text).not.toContain('client-of-mine')
  expect(text).toContain('"tenant": "acme"')
})

test('its times are those of its place, where a policy sets a zone', async () => {
  const { world, deps, policies } = await open()
  const id = await roomDown(world)
  const site = world
    .alerts()
    .state()
    .incidents.get(id)
    ?.scope.path.find(({ kind }) => kind === 'site')
  await policies.setZone(site?.id ?? '', 'Berlin', 'Asia/Calcutta')
  expect(await incidentEvidence(deps, id)).toContain('+05:30 Asia/Kolkata (2026-11-21T03:')
})

test('an unknown incident has no report', async () => {
  const { deps } = await open()
  await expect(incidentEvidence(deps, 'none')).rejects.toThrow(
    new FaultError('input', 'This incident is not known any more.'),
  )
})

test('a handover lists open incidents, closed ones and maintenance windows', async () => {
  const { world, deps, policies, service } = await open()
  const begin = world.clock.now()
  const id = await roomDown(world)
  await world.drop('york-a-1')
  await world.clock.advance(3 * minute)
  await service.mark([id], { acknowledged: { at: world.clock.now(), reason: 'The switch is being changed' } })
  await world.back('york-a-1')
  await world.clock.advance(10 * minute)
  await policies.saveMaintenance({
    id: 'q',
    name: 'Patch',
    node: 'all',
    nodeName: '',
    when: { kind: 'once', from: begin, until: begin + minute },
    zone: 'UTC',
    createdAt: begin - 1,
    until: null,
  })
  const until = world.clock.now()
  const { text, name } = await shiftHandover(deps, { from: begin, until, format: 'md' })
  expect(name).toBe('muster-handover-2026-11-21T0316Z.md')
  expect(text).toContain('**1 incident is open and is acknowledged.**')
  expect(text).toMatch(
    /- \*\*4 devices offline in Room a\*\*, major, .*\n {2}- Who: Berlin, Acme, EU-1: Studio berlin-a-\d, Studio berlin-a-\d, Studio berlin-a-\d and 1 more\n {2}- Why: all 4 known there are down; notified 03:01\n {2}- Next: acknowledged 03:06: The switch is being changed\n/u,
  )
  expect(
    tablesOf(text)[0]
      ?.slice(2)
      .map(([what]) => what),
  ).toEqual(['Studio york-a-1 is offline'])
  expect(text).toContain('- Patch over everything: 03:00 to 03:01')
  expect(text).toContain('Times are those of UTC.')
  expect((await shiftHandover(deps, { from: begin, until, format: 'csv' })).text.split('\r\n')).toHaveLength(4)
  expect((await shiftHandover(deps, { from: begin - day, until: begin, format: 'md' })).text).toContain(
    'Nothing closed in these 1 d.',
  )
})

test.each([
  [0, 0],
  [5, 4],
  [0, 31 * day + 1],
  [-1, 5],
  [0, Infinity],
  [Number.NaN, 5],
])('a handover from %d until %d is rejected', async (from, until) => {
  const { deps } = await open()
  await expect(shiftHandover(deps, { from, until, format: 'md' })).rejects.toMatchObject({ fault: { kind: 'input' } })
})

test('a handover names every device and quotes the maintenance report, also after its removal', async () => {
  const { world, deps, policies } = await open()
  const begin = world.clock.now()
  const window = (over: object) => ({
    id: 'q',
    name: 'Patch',
    node: 's:test/acme/berlin',
    nodeName: 'Berlin',
    when: { kind: 'once' as const, from: begin, until: begin + 10 * minute },
    zone: null,
    createdAt: begin,
    until: null,
    ...over,
  })
  const applyPolicies = () => Object.assign(world.policies, policies.state())
  await policies.saveMaintenance(window({}))
  applyPolicies()
  await world.drop(...world.ids('berlin'))
  await world.clock.advance(3 * minute)
  await world.back('berlin-a-1')
  await world.clock.advance(10 * minute)
  const handover = async (format: 'md' | 'csv') =>
    (await shiftHandover(deps, { from: begin, until: world.clock.now(), format })).text
  const reported =
    'reported 03:10: 11 devices did not come back. 12 devices went offline in this maintenance window, 1 came back. Still offline: '
  expect(await handover('md')).toContain(`- Patch over Berlin: 03:00 to 03:10; ${reported}`)
  expect((await handover('csv')).split('\r\n')[1]?.match(/Studio berlin-/gu)).toHaveLength(12)
  await policies.removeMaintenance('q')
  expect(await handover('md')).toContain(`- Patch: ${reported}`)
})

test('a handover of 31 days is made', async () => {
  const { deps } = await open()
  expect((await shiftHandover(deps, { from: 0, until: 31 * day, format: 'md' })).text).toContain('No open incidents.')
})

test('devices of an incident are listed with the names of their tenant and site', async () => {
  const { world, deps } = await open()
  const id = await roomDown(world)
  const { rows } = await deps.data.incidentMembers({ id, offset: 0, limit: 1 })
  expect(rows).toMatchObject([{ tenant: 'Acme', site: 'Berlin' }])
  await world.remove(rows[0]?.key.split('/').at(-1) ?? '')
  expect(
    (await deps.data.incidentMembers({ id, offset: 0, limit: 10 })).rows.find(({ key }) => key === rows[0]?.key),
  ).toMatchObject({ tenant: 'Acme', site: null })
})

test('a handover has the notes of an incident, on its page and in its sheet', async () => {
  const { world, deps } = await open()
  const begin = world.clock.now()
  await roomDown(world)
  world.calls().saveNote({ node: 's:test/acme/berlin', at: 1, text: 'Ring twice', contact: 'Jane', tags: ['VIP'] })
  const asked = { from: begin, until: world.clock.now() }
  const { text } = await shiftHandover(deps, { ...asked, format: 'md' })
  expect(text).toContain('  - Notes: Berlin: Jane; VIP; Ring twice')
  const sheet = await shiftHandover(deps, { ...asked, format: 'csv' })
  expect(sheet.text).toContain('"Berlin: Jane, VIP, Ring twice"')
})
