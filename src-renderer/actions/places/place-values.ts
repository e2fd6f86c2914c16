import type { FoundPlace } from '../../../src-shared/contract/contract.ts'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import type { ActionRequest } from '../../../src-shared/model/jobs.ts'
import { placesIn } from './place-ids.ts'

/** The input for a room. `capacity` as it was typed. */
export interface RoomDraft {
  name: string
  site: NamedRef | null
  capacity: string
  size: string
  floor: string
}

/** A room as the service lists it. Its facts are '' where the service does not tell them. */
export interface KnownRoom extends RoomDraft {
  id: string
}

export const newRoom = (site: NamedRef | null): RoomDraft => ({ name: '', site, capacity: '', size: '', floor: '' })

/** Returns the room of a tenant among found places; null when it is gone. */
export function knownRoom(tenant: string, [found]: readonly FoundPlace[]): KnownRoom | null {
  const [room] = found === undefined ? [] : placesIn(tenant, [found])
  if (found === undefined || room?.kind !== 'room') return null
  const { capacity = null, size = null, floor = null } = found.roomFacts ?? {}
  return {
    id: room.id,
    name: room.name,
    site: room.site,
    capacity: capacity === null ? '' : String(capacity),
    size: size ?? '',
    floor: floor ?? '',
  }
}

const maxCapacity = 100_000

/** Returns what is wrong with a size; '' when nothing is. An empty size cannot be sent. */
export const sizeProblem = (typed: string, known: KnownRoom | null): string =>
  typed.trim() === '' && (known?.size ?? '') !== '' ? 'The size cannot be removed, only changed.' : ''

/** Returns what is wrong with a capacity; '' when nothing is. */
export const capacityProblem = (typed: string): string =>
  typed.trim() === '' || (/^\s*\d{1,6}\s*$/u.test(typed) && Number(typed) <= maxCapacity)
    ? ''
    : 'Enter a whole number from 0 to 100,000.'

/** Returns the request that creates a room, or changes those values of a known one that differ. */
export function roomRequest(
  tenant: string,
  draft: RoomDraft,
  known: KnownRoom | null,
): Extract<ActionRequest, { kind: 'room' }> {
  const differs = (member: 'capacity' | 'size' | 'floor') => draft[member].trim() !== (known?.[member] ?? '').trim()
  const text = (typed: string) => (typed.trim() === '' ? null : typed.trim())
  return {
    kind: 'room',
    tenant,
    id: known?.id ?? null,
    name: draft.name.trim(),
    ...(draft.site?.id !== known?.site?.id && { site: draft.site?.id ?? null }),
    ...(differs('capacity') && { capacity: draft.capacity.trim() === '' ? null : Number(draft.capacity) }),
    ...(differs('size') && { size: text(draft.size) }),
    ...(differs('floor') && { floor: text(draft.floor) }),
  }
}

/** Returns whether a draft of a room differs from the known one. */
export function isChanged(draft: RoomDraft, known: RoomDraft): boolean {
  const values = ({ name, site, capacity, size, floor }: RoomDraft) =>
    JSON.stringify([name, site?.id ?? null, capacity, size, floor].map((value) => (value ?? '').trim()))
  return values(draft) !== values(known)
}
