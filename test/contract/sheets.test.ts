import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createSenderChoice } from '../../src-main/actions/choose-sender.ts'
import { createSheets } from '../../src-main/actions/sheets/create.ts'
import { createTenants } from '../../src-main/actions/tenants.ts'
import { createApi } from '../../src-main/api/client.ts'
import { createTurns } from '../../src-main/api/event-loop-turns.ts'
import { startMutations } from '../../src-main/api/mutations/start.ts'
import { startTokens } from '../../src-main/auth/token.ts'
import { startData } from '../../src-main/inventory/thread/client.ts'
import { startPacer } from '../../src-main/pacing/pacer.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import type { StoredJob } from '../../src-main/storage/journal/job-records.ts'
import type { ServiceOptions } from '../../src-service/options.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { allByName, createLeftovers, service, temporaryProfile } from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const signal = new AbortController().signal
const signals = { signal, withdraw: signal }
const plan = { batch: null, waitMinutes: 5, stopAfter: null, at: null, includeInCall: false }

/** Sheets over a data thread with the devices of a reference service, whose schema and devices are read by real sockets. */
async function open(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 60, tenants: 1, life: false, ...options })
  const link = openNetwork({}).open(reference.ca)
  const clock = systemClock
  const { tokenUrl, clientId, clientSecret, graphqlUrl } = reference
  const tokens = startTokens({ fetch: link.fetch, clock, tokenUrl, clientId, secret: async () => clientSecret })
  const policy = () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false })
  const pacer = startPacer({ clock, random: () => 0, policy, onChange: () => {} })
  const shared = { clock, graphqlUrl, tokens, pacer, turns: createTurns() }
  const api = createApi({ ...shared, fetch: link.fetch })
  const mutations = startMutations({ ...shared, api, fetchOnce: link.fetchOnce })
  const thread = path.resolve('src-main/inventory/thread/thread.ts')
  const { data, stop } = await startData({ profile: temporaryProfile(leftovers), thread })
  leftovers.push(async () => {
    mutations.stop()
    tokens.stop()
    pacer.stop()
    await stop()
    await link.close()
  })
  const devices = reference.world.devices()
  await fill(data, reference)
  const sender = { connection: 'c1', service: 's', link: {}, mutations, balance: pacer }
  const sheets = createSheets({
    data,
    clock,
    log: () => {},
    tenants: createTenants(data, () => [sender]),
    choice: createSenderChoice(systemClock),
    isArmed: () => true,
    isBusy: () => false,
    placeConflict: () => null,
  })
  return { reference, sheets, mutations, devices }
}

/** Writes what the service has into the data thread, as a sync does. */
async function fill(
  data: Awaited<ReturnType<typeof startData>>['data'],
  { world }: Awaited<ReturnType<typeof service>>,
) {
  const of = { service: 's', connection: 'c1' }
  const [tenant] = world.tenants()
  const id = tenant?.id ?? ''
  await data.tenants({ ...of, tenants: [{ id, name: tenant?.name ?? '', region: null }], at: 0 })
  await data.visibility({ ...of, tenants: null, visible: true, confirmedAt: 0 })
  const devices = world.devices().map((device) => ({
    id: device.id,
    name: device.name,
    hardwareModel: 'X50',
    connected: device.connected,
    lastDetected: null,
    lastConfigRequestDate: null,
    site: null,
    room: null,
  }))
  await data.page({ ...of, tenant: id, generation: 1, requestOrder: 1, at: 1, devices, next: null })
}

const reboot = { kind: 'reboot', targets: { query: allByName }, linkedDevices: true } as const
const rename = { kind: 'rename', targets: { query: allByName }, pattern: '{name} new' } as const

test('a reboot knows which devices are in a call, and reads only those that it may reboot', async () => {
  const { sheets, reference, devices } = await open()
  const sheet = await sheets.prepare(reboot)
  const online = devices.filter(({ connected }) => connected === true).length
  expect(sheet.total).toBe(60)
  expect(sheet.ready + sheet.inCall).toBe(online)
  expect(sheet.callsUnknown).toBeLessThan(online)
  const { rows } = sheets.rows({ sheet: sheet.id, offset: 0, limit: 100 })
  const calls = rows.filter(({ obstacle }) => obstacle === null || obstacle === 'in-call').map(({ call }) => call)
  expect(calls.filter((call) => call !== 'unknown').length).toBe(online - sheet.callsUnknown)
  expect(reference.operations().map(({ operationName }) => operationName)).not.toContain('Reboot')
})

test('a service without mutations, and one that hides its schema, offer nothing', async () => {
  for (const options of [{ profile: 'contrary', contrary: { mutations: 'none' } }, { profile: 'minimal' }] as const) {
    const { sheets } = await open(options)
    const sheet = await sheets.prepare(rename)
    expect(sheet.obstacles).toEqual([{ obstacle: 'not-offered', devices: 60 }])
  }
})

test('an undo returns only what the service still shows as it was written', async () => {
  const { sheets, mutations, reference } = await open()
  const prepared = await sheets.prepare(rename)
  // No name was ever sent to this service: the cost is that which its reads make likely.
  expect([prepared.points, prepared.seconds]).toEqual([expect.any(Number), expect.any(Number)])
  const { record, targets } = sheets.take(prepared.id, '60', plan)
  const [one, other] = targets
  if (one === undefined || other === undefined) throw new Error('no devices')
  const sent = [one, other].map(({ id, after }) => ({ id, name: after.name ?? '' }))
  expect((await mutations.update(sent, signals)).map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed'])
  await mutations.update([{ id: other.id, name: 'By somebody' }], signals)
  const times = { createdAt: 0, startedAt: 0, endedAt: 0 }
  const job: StoredJob = {
    record: { ...record, ...times, id: 'job', plan, fault: null, state: 'done' },
    targets: targets.map((target, at) => ({ ...target, outcome: at < 2 ? 'done' : 'not-sent' })),
  }
  const undo = await sheets.undo(job)
  expect(undo).toMatchObject({ total: 2, ready: 1, obstacles: [{ obstacle: 'changed-since', devices: 1 }] })
  const ready = sheets.rows({ sheet: undo.id, offset: 0, limit: 10 }).rows.find(({ obstacle }) => obstacle === null)
  expect(ready).toMatchObject({ before: { name: one.after.name }, after: { name: one.name } })
  expect(undo.points).toBeGreaterThan(0)
  expect(undo.seconds).toBeGreaterThanOrEqual(0)
  expect(reference.world.device(other.id)?.name).toBe('By somebody')
})
