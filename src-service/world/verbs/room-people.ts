import { cities } from '../generate/places.ts'
import type { Store } from '../store/store.ts'

/** The number of people in a room, from that moment on. `updatedAt`: ISO 8601, UTC, milliseconds. */
export type People = {
  count: number
  roomId: string
  siteId: string
  accountId: string
  tenantId: string
  updatedAt: string
}

/** A room for meetings. `hoursAhead`: difference of its local time from UTC. */
export type MeetingRoom = { id: string; capacity: number | null; hoursAhead: number }

type Watch = { wanted: (roomId: string) => boolean; listener: (people: People) => void }

/**
 * Verbs for people in rooms. Only occupied rooms are stored, while the service runs: a reopened world has no people.
 */
export function peopleVerbs({ store, now }: { store: Store; now: () => number }) {
  const counts = new Map<string, number>()
  const watches = new Set<Watch>()
  const place = (roomId: string) =>
    store.get(
      'SELECT r.siteId, s.tenantId, s.accountId FROM rooms r JOIN sites s ON s.id = r.siteId WHERE r.id = ?',
      roomId,
    )
  return {
    people: (roomId: string): number => counts.get(roomId) ?? 0,
    setPeople(roomId: string, count: number): void {
      if (!Number.isSafeInteger(count) || count < 0 || count > 2 ** 31 - 1)
        throw new RangeError(`${count} is no number of people`)
      const found = place(roomId)
      if (!found) throw new RangeError(`The world has nothing room ${roomId}`)
      if ((counts.get(roomId) ?? 0) === count) return
      if (count === 0) counts.delete(roomId)
      else counts.set(roomId, count)
      const people = {
        count,
        roomId,
        siteId: String(found['siteId']),
        accountId: String(found['accountId']),
        tenantId: String(found['tenantId']),
        updatedAt: new Date(now()).toISOString(),
      }
      for (const { wanted, listener } of watches) if (wanted(roomId)) listener(people)
    },
    onPeople(wanted: (roomId: string) => boolean, listener: (people: People) => void): () => void {
      const watch = { wanted, listener }
      watches.add(watch)
      return () => void watches.delete(watch)
    },
    roomNumbers: (): number => lastNumber(store),
    anyRoom: (draw: () => number): MeetingRoom | undefined => anyRoom(store, draw),
  }
}

/** Returns the highest row number, without counting. */
function lastNumber(store: Store): number {
  return Number(store.get('SELECT max(rowid) AS last FROM rooms')?.['last'] ?? 0)
}

/** Returns a random room by reading one row; undefined when that room was removed. */
function anyRoom(store: Store, draw: () => number): MeetingRoom | undefined {
  const row = store.get(
    'SELECT r.id, r.capacity, s.code FROM rooms r JOIN sites s ON s.id = r.siteId WHERE r.rowid = ?',
    1 + Math.floor(draw() * lastNumber(store)),
  )
  if (!row) return undefined
  const { id, capacity, code } = row
  return {
    id: String(id),
    capacity: typeof capacity === 'number' ? capacity : null,
    hoursAhead: hoursAhead(String(code)),
  }
}

const partHours = { US: -6, EU: 1, AP: 8 } as const

/**
 * Returns the local time's difference from UTC, one for each part of the world, which suffices for a working day; 0 for
 * an unknown city.
 */
function hoursAhead(code: string): number {
  const city = cities.find((known) => known.code === code)
  return city ? partHours[city.part] : 0
}
