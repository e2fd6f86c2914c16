import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeviceFact, PageInput } from '../../../src-main/inventory/thread/protocol.ts'
import type { LiveEvent } from '../../../src-main/inventory/thread/update-protocol.ts'
import type { InventoryQuery } from '../../../src-shared/model/inventory.ts'

/** A folder of its own for a test, and a function that removes it. */
export function tempProfile(): { profile: string; remove: () => void } {
  const profile = mkdtempSync(join(tmpdir(), 'muster-data-'))
  return { profile, remove: () => rmSync(profile, { recursive: true, force: true }) }
}

export const service = 'https://service.test'
export const connection = 'c1'
export const acme = { id: 'acme', name: 'Acme', region: 'EU-1' }

export function fact(id: string, over: Partial<DeviceFact> = {}): DeviceFact {
  return {
    id,
    name: `Studio ${id}`,
    hardwareModel: 'X50',
    connected: true,
    lastDetected: null,
    lastConfigRequestDate: null,
    site: { id: 's1', name: 'Berlin' },
    room: { id: 'r1', name: 'Room 1' },
    ...over,
  }
}

export function pageOf(devices: DeviceFact[], over: Partial<PageInput> = {}): PageInput {
  return { service, tenant: acme.id, generation: 1, requestOrder: 1, at: 1000, devices, next: null, ...over }
}

export function event(id: string, over: Partial<LiveEvent> = {}): LiveEvent {
  return { id, tenant: acme.id, connected: null, name: null, order: 10, at: 5000, ...over }
}

export const key = (id: string, tenant = acme.id) => `https%3A%2F%2Fservice.test/${tenant}/${id}`

export const query = (over: Partial<InventoryQuery> = {}): InventoryQuery => ({
  scope: 'all',
  filter: '',
  sort: [],
  ...over,
})
