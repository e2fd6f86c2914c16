import { afterEach, beforeEach } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import type { TenantPlaces } from '../../../src-shared/model/places.ts'
import { acme, connection, fact, pageOf, service, tempProfile } from './profile.ts'

/** The calls of a data thread on a profile of its own, which has one tenant; opened anew for each test. */
export let calls: Calls
let temp: ReturnType<typeof tempProfile>

export function useTenant(): void {
  beforeEach(() => {
    temp = tempProfile()
    calls = callsOn(openStore(temp.profile, 1, 0))
    calls.tenants({ service, connection, tenants: [acme], at: 0 })
  })
  afterEach(() => {
    calls.close(undefined)
    temp.remove()
  })
}

export function reopened(): void {
  calls.close(undefined)
  calls = callsOn(openStore(temp.profile, 1, 0))
}

export const tenant = `https%3A%2F%2Fservice.test/${acme.id}`

export const site = (id: string, over: Partial<TenantPlaces['sites'][number]> = {}) => ({
  id,
  name: `Site ${id}`,
  account: null,
  ...over,
})
export const room = (id: string, of: string | null, over: Partial<TenantPlaces['rooms'][number]> = {}) => ({
  id,
  name: `Room ${id}`,
  site: of,
  capacity: null,
  size: null,
  floor: null,
  ...over,
})

export let order = 0
export function list(over: Partial<TenantPlaces>, input: Partial<Parameters<Calls['places']>[0]> = {}) {
  order += 1
  const places = { accounts: null, sites: [], rooms: [], ...over }
  return calls.places({ service, connection, tenant: acme.id, places, requestOrder: 100 + order, at: order, ...input })
}

export const read = (devices: Parameters<typeof pageOf>[0], requestOrder = 1) =>
  calls.page(pageOf(devices, { connection, requestOrder }))
export const inSite = (id: string, of: string, over = {}) =>
  fact(id, { site: { id: of, name: `Site ${of}` }, room: { id: 'r1', name: 'Room r1' }, ...over })

/** The whole tree below the tenant without devices: name and number of devices, indented by level. */
export function tree(): string[] {
  const expanded = ['tenants']
  for (;;) {
    const { rows } = calls.tree({ expanded, offset: 0, limit: 500, reveal: null })
    const closed = rows.filter(({ expanded: open, kind }) => open === false && kind !== 'room').map(({ id }) => id)
    if (closed.length === 0)
      return rows
        .filter(({ kind }) => kind !== 'region' && kind !== 'tenant')
        .map(({ name, level, counts }) => {
          const devices = counts.connected + counts.disconnected + counts.unknown
          return `${'  '.repeat(level - 3)}${name} ${devices}`
        })
    expanded.push(...closed)
  }
}

export const two = [
  { id: 'n', name: 'North' },
  { id: 's', name: 'South' },
]
