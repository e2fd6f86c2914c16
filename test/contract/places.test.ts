import { afterEach, expect, test } from 'vitest'
import type { Answers } from '../../src-service/faults/contrary/answers.ts'
import type { Service, ServiceOptions } from '../../src-service/service.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function open(contrary: Partial<Answers> = {}, more: ServiceOptions = {}) {
  const reference = await service(leftovers, {
    devices: 60,
    tenants: 2,
    emptyPlaces: true,
    ...more,
    profile: 'contrary',
    contrary,
  })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  await muster.call('connections.save', connectionTo(reference))
  return { reference, muster, profile }
}

const asked = (reference: Service) =>
  reference.operations().filter(({ operationName }) => operationName === 'Places').length

const whenListed = async (muster: Console) =>
  (await whenConnection(muster, ({ places }) => places !== undefined)).places

/** The names of the tree's nodes of a kind, also of those without devices. */
async function namesOf(muster: Console, kind: string): Promise<string[]> {
  const expanded = new Set<string>()
  const page = async (offset: number) =>
    muster.call('inventory.tree', { expanded: [...expanded], offset, limit: 500, reveal: null })
  for (;;) {
    const { rows, total } = await page(0)
    while (rows.length < total) rows.push(...(await page(rows.length)).rows)
    const closed = rows.filter((row) => row.kind !== 'device' && row.kind !== 'room' && !expanded.has(row.id))
    if (closed.length === 0)
      return rows
        .filter((row) => row.kind === kind && !row.placeless)
        .map(({ name }) => name)
        .toSorted()
    for (const { id } of closed) expanded.add(id)
  }
}

function worldOf({ world }: Service) {
  const tenants = world.tenants().map(({ id }) => id)
  const sites = tenants.flatMap((id) => world.sites(id))
  const rooms = sites.flatMap(({ id }) => world.rooms(id))
  return { accounts: tenants.flatMap((id) => world.accounts(id)), sites, rooms }
}

const sorted = (places: readonly { name: string }[]): string[] => places.map(({ name }) => name).toSorted()

test.each<[string, Partial<Answers>]>([
  ['both forms', {}],
  ['its own form', { placeFields: 'own' }],
  ['the form of the twin', { placeFields: 'twin' }],
  ['the form of the twin and no accounts', { placeFields: 'twin', accounts: false }],
  ['both forms and no accounts', { accounts: false }],
])('a service with %s has all its accounts, sites and rooms in the tree', async (_name, contrary) => {
  const { reference, muster } = await open(contrary)
  const { accounts, sites, rooms } = worldOf(reference)
  const hasAccounts = contrary.accounts !== false
  expect(await whenListed(muster)).toEqual({
    state: 'read',
    readAt: expect.any(Number),
    accounts: hasAccounts ? accounts.length : null,
    sites: sites.length,
    rooms: rooms.length,
    points: expect.any(Number),
  })
  expect(await namesOf(muster, 'site')).toEqual(sorted(sites))
  expect(await namesOf(muster, 'room')).toEqual(sorted(rooms))
  // A tenant with one account has no level for it.
  const shown = accounts.filter(({ tenantId }) => accounts.filter((each) => each.tenantId === tenantId).length > 1)
  expect(await namesOf(muster, 'account')).toEqual(hasAccounts ? sorted(shown) : [])
})

test.each<[string, Partial<Answers>]>([
  ['pages of at most 3', { maxPageSize: 3 }],
  ['pages of at most 3, rejected without words', { maxPageSize: 3, pageRefusalStatus: 400, pageRefusalWords: 'none' }],
  ['a token alone, in its own form', { pageInfo: 'token-only', placeFields: 'own' }],
  ['no totals', { pageInfo: 'no-totals', placeFields: 'own' }],
  ['numbers as text', { numbersAs: 'text' }],
  ['other types of ids', { idTypes: 'swapped' }],
  ['other types of ids, in its own form', { idTypes: 'swapped', placeFields: 'own' }],
  ['null edges among its devices', { nullEdges: 0.3 }],
  ['errors without a code', { errorShape: 'message-only' }],
  ['costs ten times as high', { costFactor: 10 }],
  ['costs ten times as high, in its own form', { costFactor: 10, placeFields: 'own' }],
  ['no word on costs', { costHeaders: false, costField: false }],
])('a service with %s tells all its places', async (_name, contrary) => {
  const { reference, muster } = await open(contrary)
  const { accounts, sites, rooms } = worldOf(reference)
  expect(await whenListed(muster)).toMatchObject({
    accounts: accounts.length,
    sites: sites.length,
    rooms: rooms.length,
  })
})

test.each<[string, Partial<Answers>, unknown]>([
  ['no lists of places', { placeFields: 'none', accounts: false }, { state: 'not-offered' }],
  ['accounts alone', { placeFields: 'none' }, { state: 'not-offered' }],
  ['no introspection', { introspection: false }, { state: 'no-schema' }],
  ['the minimal schema', { schema: 'minimal' }, { state: 'not-offered' }],
])('of a service with %s none is asked, and this is shown', async (_name, contrary, shown) => {
  const { reference, muster } = await open(contrary)
  expect(await whenListed(muster)).toEqual(shown)
  await muster.call('sync.start', { scope: 'all' })
  await whenRead(muster)
  expect([asked(reference), muster.log.filter((text) => text.includes('lists no accounts')).length]).toEqual([0, 1])
})

test('a credential set that is held to one account has that one alone', async () => {
  const { reference, muster } = await open(
    {},
    {
      tenants: 1,
      credentials: (world) => [
        {
          accounts: world
            .accounts(world.tenants()[0]?.id ?? '')
            .slice(1, 2)
            .map(({ id }) => id),
        },
      ],
    },
  )
  const { accounts, sites } = worldOf(reference)
  const own = sites.filter(({ accountId }) => accountId === accounts[1]?.id)
  expect(await whenListed(muster)).toMatchObject({ state: 'read', accounts: 1, sites: own.length })
  expect(await namesOf(muster, 'site')).toEqual(sorted(own))
})

test('they are read in the background, and not again at the next sync or start', async () => {
  const { reference, muster, profile } = await open()
  const places = await whenListed(muster)
  const [gauge] = (await muster.call('app.state', {})).gauges
  expect(gauge?.recent.find(({ name }) => name === 'Places')).toMatchObject({ lane: 'background' })
  const before = asked(reference)
  await muster.stop()
  const again = await openConsole(leftovers, profile, { secrets: muster.secrets })
  await whenRead(again)
  expect((await again.call('app.state', {})).connections[0]?.places).toEqual(places)
  expect([before > 0, asked(reference)]).toEqual([true, before])
})

test('a new site without devices is in the tree after the operator syncs', async () => {
  const { reference, muster } = await open()
  await whenListed(muster)
  const [tenant] = reference.world.tenants()
  reference.world.addSite(tenant?.id ?? '', 'Harbour')
  await muster.call('sync.start', { scope: 'all' })
  await until(async () => expect(await namesOf(muster, 'site')).toContain('Harbour'))
  const [gauge] = (await muster.call('app.state', {})).gauges
  expect(gauge?.recent.find(({ name }) => name === 'Places')).toMatchObject({ lane: 'person' })
})

test('a region that is down keeps its places', async () => {
  const { reference, muster } = await open()
  await whenListed(muster)
  const { sites, rooms } = worldOf(reference)
  const [region] = reference.world.tenants().map((tenant) => tenant.region)
  reference.misfortune.region(region ?? 'US-1', 'gone')
  const before = asked(reference)
  await muster.call('sync.start', { scope: 'all' })
  await until(() => expect(asked(reference)).toBeGreaterThan(before))
  await whenConnection(muster, ({ sync, faults }) => sync.state === 'idle' && faults.length > 0)
  expect([await namesOf(muster, 'site'), await namesOf(muster, 'room')]).toEqual([sorted(sites), sorted(rooms)])
})

test('a removed connection leaves no number of places in the settings', async () => {
  const { muster } = await open()
  await whenListed(muster)
  const [connection] = (await muster.call('app.state', {})).connections
  await muster.call('connections.remove', { id: connection?.id ?? '' })
  expect(muster.settings.get('placeDirectories')).toEqual({})
})
