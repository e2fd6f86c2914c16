import type { MutationOffer, Mutations, ReadDevice } from '../../../../src-main/api/mutations/mutations.ts'
import type { Sender } from '../../../../src-main/connections/senders.ts'
import { createSenderChoice } from '../../../../src-main/actions/choose-sender.ts'
import { createSheets } from '../../../../src-main/actions/sheets/create.ts'
import type { JobPlace } from '../../../../src-main/actions/place-guard.ts'
import { createTenants } from '../../../../src-main/actions/tenants.ts'
import { callsOn } from '../../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../../src-main/inventory/store.ts'
import type { InventoryData } from '../../../../src-main/inventory/thread/protocol.ts'
import type { Fault } from '../../../../src-shared/model/fault.ts'
import type { Access } from '../../../../src-shared/model/access.ts'
import type { TenantPlaces } from '../../../../src-shared/model/places.ts'
import { manualClock } from '../../../support/clock.ts'
import { acme, connection, fact, pageOf, service, tempProfile } from '../../inventory/profile.ts'

export const everything: MutationOffer = {
  reboot: { linkedDevices: true },
  update: { name: true, site: true, room: true },
  site: { account: true },
  room: { site: true, capacity: true, size: true, floor: true },
  calls: true,
}

/** What a service answers to the reads and the schema of a sheet. Nothing is sent by a sheet: that fails. */
export interface ServiceAnswers {
  offer?: MutationOffer | null
  offerFault?: Fault | null
  read?: (id: string) => ReadDevice | null | Promise<ReadDevice | null>
  cost?: number | null
}

export function mutationsOf({
  offer = everything,
  offerFault = null,
  read,
  cost = 10,
}: ServiceAnswers = {}): Mutations & {
  reads: string[]
} {
  const never = () => Promise.reject(new Error('a sheet sends nothing'))
  const reads: string[] = []
  return {
    reads,
    offer: () => offer,
    offerFault: () => offerFault,
    onOffer: () => () => {},
    reboot: never,
    update: never,
    saveSite: never,
    saveRoom: never,
    read: (ids) => {
      reads.push(...ids)
      return Promise.all(ids.map((id) => (read === undefined ? { id, call: 'free' as const } : read(id))))
    },
    cost: (_, count) => (cost === null ? null : cost * count),
  }
}

export const lab = { id: 'lab', name: 'Lab', region: 'US-1' }
export const tenantKey = (id: string) => `https%3A%2F%2Fservice.test/${id}`
export const keyOf = (id: string, tenant = 'acme') => `${tenantKey(tenant)}/${id}`

export const acmePlaces: TenantPlaces = {
  accounts: null,
  sites: [
    { id: 's1', name: 'Berlin', account: null },
    { id: 's2', name: 'Paris', account: null },
  ],
  rooms: [
    { id: 'r1', name: 'Room 1', site: 's1', capacity: 4, size: null, floor: null },
    { id: 'r2', name: 'Room 2', site: 's2', capacity: null, size: null, floor: null },
    { id: 'r3', name: 'Twin', site: 's1', capacity: null, size: null, floor: null },
    { id: 'r4', name: 'Twin', site: 's2', capacity: null, size: null, floor: null },
  ],
}

/** Two tenants in a data thread's store, seen by one connection, and the sheets of its actions. */
export function openWorld(answers: ServiceAnswers = {}, more: { access?: Access } = {}) {
  const temp = tempProfile()
  const store = openStore(temp.profile, 1, 0)
  const calls = callsOn(store)
  calls.tenants({ service, connection, tenants: [acme, lab], at: 0 })
  calls.visibility({ service, connection, tenants: null, visible: true, confirmedAt: 0 })
  calls.places({ service, connection, tenant: 'acme', places: acmePlaces, requestOrder: 1, at: 1 })
  calls.places({
    service,
    connection,
    tenant: 'lab',
    places: { accounts: null, sites: [{ id: 'x1', name: 'Oslo', account: null }], rooms: [] },
    requestOrder: 1,
    at: 1,
  })
  const data = new Proxy(calls, {
    get: (target, name) => async (input: never) =>
      (target[name as keyof typeof target] as (given: never) => unknown)(input),
  }) as unknown as InventoryData
  const clock = manualClock()
  const mutations = mutationsOf(answers)
  const sender: Sender = { connection, service, link: {}, mutations, access: more.access }
  const state = {
    senders: [sender],
    armed: new Set([tenantKey('acme'), tenantKey('lab')]),
    busy: new Set<string>(),
    placeConflict: (_place: JobPlace, _at: number): string | null => null,
  }
  const choice = createSenderChoice(clock)
  const sheets = createSheets({
    data,
    clock,
    log: () => {},
    tenants: createTenants(data, () => state.senders),
    choice,
    isArmed: (tenant) => state.armed.has(tenant),
    isBusy: (device) => state.busy.has(device),
    placeConflict: (place, at) => state.placeConflict(place, at),
  })
  let order = 10
  return {
    store,
    calls,
    data,
    clock,
    mutations,
    sender,
    state,
    choice,
    sheets,
    /** Reads devices of a tenant; `over` as `fact`. */
    devices(list: Parameters<typeof fact>[1][], tenant = 'acme') {
      order += 1
      const facts = list.map((over) => fact(over?.id ?? '', over))
      calls.page(pageOf(facts, { connection, tenant, requestOrder: order }))
    },
    rows(sheet: { id: string }) {
      return sheets.rows({ sheet: sheet.id, offset: 0, limit: 500 }).rows
    },
    /** The obstacle of each device, by its name. */
    obstacles(sheet: { id: string }): Record<string, string | null> {
      return Object.fromEntries(this.rows(sheet).map(({ name, obstacle }) => [name, obstacle]))
    },
    close() {
      calls.close(undefined)
      temp.remove()
    },
  }
}

export const plan = { batch: null, waitMinutes: 5, stopAfter: null, at: null, includeInCall: false }
export const query = (over = {}) => ({
  scope: 'all',
  filter: '',
  sort: [{ column: 'name' as const, direction: 'asc' as const }],
  ...over,
})
