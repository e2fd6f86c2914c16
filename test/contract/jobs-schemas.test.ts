import { afterEach, expect, test } from 'vitest'
import type { Role } from '../../src-service/access/roles.ts'
import type { Answers, ContraryName } from '../../src-service/faults/contrary/answers.ts'
import type { ServiceOptions } from '../../src-service/options.ts'
import type { ActionRequest, JobKind } from '../../src-shared/model/jobs.ts'
import { answersOf } from '../main/contrary/drawn.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
} from '../support/fleet.ts'
import { atOnce, jobsOf, noteArrivals, reboot, rename, repeatedOf, untrueNames } from '../support/jobs-console.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** An armed console on a service whose schema and answers differ, when it is known what the service offers. */
async function opened(options: ServiceOptions) {
  const reference = await service(leftovers, { devices: 60, tenants: 1, life: false, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenConnection(muster, (state) => state.lastReadingAt !== null && state.sync.state === 'idle')
  const jobs = jobsOf(muster)
  await jobs.arm()
  const known = async () => {
    const [tenant] = await jobs.tenants()
    return { offered: tenant?.offered ?? [], role: tenant?.role ?? [], tenant: tenant?.tenant ?? '' }
  }
  const changes: string[] = []
  reference.world.onChange(({ id }) => void changes.push(id))
  const { keys } = await jobs.keys()
  return { ...jobs, muster, reference, known, changes, arrivals: noteArrivals(reference), keys }
}

const contrary = (given: Partial<Answers>, more: ServiceOptions = {}): ServiceOptions => ({
  profile: 'contrary',
  contrary: given,
  ...more,
})
const all: JobKind[] = ['reboot', 'rename', 'move', 'update', 'site', 'room']

test('a service without accounts renames, and creates sites and rooms', async () => {
  const { known, startSheet, prepare, whenState, rows, keys, reference } = await opened(
    contrary({ accounts: false, placeFields: 'twin' }),
  )
  const { offered, tenant } = await known()
  expect(offered).toEqual(all)
  const run = async (request: ActionRequest) => whenState(await startSheet(await prepare(request)), 'done')
  const site = await run({ kind: 'site', tenant, id: null, name: 'Harbour' })
  expect(site).toMatchObject({ counts: { done: 1 }, place: { id: expect.any(String) } })
  expect(reference.world.site(site?.place?.id ?? '')?.name).toBe('Harbour')
  const siteId = reference.world.devices().find((each) => each.site !== null)?.site?.id ?? ''
  const room = await run({ kind: 'room', tenant, id: null, site: siteId, name: 'Quay' })
  expect(reference.world.room(room?.place?.id ?? '')).toMatchObject({ name: 'Quay', siteId })
  const renamed = await run(rename(keys.slice(0, 30), 'Plain {n:2}'))
  expect(renamed).toMatchObject({ counts: { done: 30 } })
  expect(untrueNames(reference, await rows(renamed?.id ?? ''))).toEqual([])
})

test.each<[string, ServiceOptions]>([
  ['without mutations', contrary({ mutations: 'none' })],
  ['with mutations of other names', contrary({ mutations: 'other-names' })],
  ['with the fields of the specification alone', { profile: 'minimal' }],
  ['without introspection', contrary({ introspection: false })],
])('a service %s offers nothing and is sent nothing', async (_name, options) => {
  const { known, prepare, startSheet, keys, reference } = await opened(options)
  expect(await known()).toMatchObject({ offered: [], role: [] })
  for (const request of [reboot(keys.slice(0, 2)), rename(keys.slice(0, 2), 'Never {n}')]) {
    const sheet = await prepare(request)
    expect([sheet.ready, sheet.obstacles]).toEqual([0, [{ obstacle: 'not-offered', devices: 2 }]])
    await expect(startSheet(sheet, atOnce)).rejects.toMatchObject({ fault: { kind: 'input' } })
  }
  expect(reference.operations().filter(({ query }) => query.startsWith('mutation'))).toEqual([])
})

test('a service whose updates know no site renames, and moves nothing to a site', async () => {
  const { known, startSheet, prepare, whenState, rows, keys, reference } = await opened(
    contrary({ mutations: 'room-uuid' }),
  )
  expect((await known()).offered).toEqual(expect.arrayContaining(['reboot', 'rename']))
  const site = reference.world.devices().find((each) => each.site !== null)?.site
  const move = await prepare({ kind: 'move', targets: { keys: keys.slice(0, 30) }, site: site?.id ?? '', room: null })
  expect(move.ready).toBe(0)
  const job = await startSheet(await prepare(rename(keys, 'By name {n:2}')))
  expect(await whenState(job, 'done')).toMatchObject({ counts: { done: keys.length } })
  expect(untrueNames(reference, await rows(job))).toEqual([])
})

test.each<[Role, 200 | 403, boolean]>([
  ['admin', 200, true],
  ['it-admin', 200, false],
  ['it-admin', 403, false],
])('where mutations need an admin, %s (status %i) renames: %s', async (role, forbiddenStatus, may) => {
  const { known, startSheet, prepare, whenState, rows, keys, reference, changes, arrivals } = await opened(
    contrary({ mutationRole: 'admin', forbiddenStatus }, { role }),
  )
  // An unknown right is learned when the service says no.
  expect((await known()).offered).toEqual(all)
  const job = await startSheet(await prepare(rename(keys, 'By right {n:2}')))
  expect(await whenState(job, 'done')).toMatchObject({ counts: { done: may ? keys.length : 0 } })
  const found = await rows(job)
  expect([untrueNames(reference, found), repeatedOf(changes), arrivals.repeated()]).toEqual([[], [], []])
  const outcomes = found.map(({ outcome }) => outcome)
  expect(outcomes.filter((each) => !(may ? ['done'] : ['refused', 'not-sent']).includes(each))).toEqual([])
  const { offered, role: withheld } = await known()
  expect([offered.includes('rename'), withheld.includes('rename')]).toEqual([may, !may])
})

/** Points that keep a service from being read at all, or by which it is away for a time: other tests have these. */
const without: readonly ContraryName[] = [
  'missingFields',
  'emptyDevices',
  'emptyTenants',
  'initRefusals',
  'upgradeRefusals',
  'socketOpens',
  'socketEndEveryMs',
  'nullTenants',
  'tokenLifeMs',
  'streamForbids',
  'clockSkewMs',
  'tokenRepeats',
  'lastPage',
]

test.each([1, 5, 13, 89])(
  'at a contrary service every outcome is true, and nothing is sent twice (seed %i)',
  { timeout: 60_000 },
  async (seed) => {
    const { known, startSheet, prepare, shown, rows, keys, reference, changes, arrivals } = await opened(
      contrary(answersOf(seed, without), { contrarySeed: seed, devices: 40 }),
    )
    const sheet = await prepare(rename(keys.slice(0, 30), 'Contrary {n:2}'))
    expect(sheet.ready > 0).toBe((await known()).offered.includes('rename'))
    if (sheet.ready === 0) return expect(arrivals.operations).toEqual([])
    const job = await startSheet(sheet)
    await until(async () => expect((await shown(job))?.state).toMatch(/^(?:done|paused)$/u), 40_000)
    await until(async () => expect(untrueNames(reference, await rows(job))).toEqual([]))
    expect(repeatedOf(changes)).toEqual([])
  },
)
