import { cities } from '../generate/places.ts'
import type { Store } from '../store/store.ts'

/** How many people are in a room, from that moment on. `updatedAt`: ISO 8601, UTC, milliseconds. */
export type People = {
  count: number
  roomId: string
  siteId: string
  accountId: string
  tenantId: string
  updatedAt: string
}

/** A room as those see it who come and go. `hoursAhead`: what its clocks are ahead of UTC. */
export type MeetingRoom = { id: string; capacity: number | null; hoursAhead: number }

type Watch = { wanted: (roomId: string) => boolean; listener: (people: People) => void }

/**
 * The people in the rooms. Only rooms with somebody in them are remembered, and only for as long as the service runs: a
 * world that is opened again is empty of people.
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

/** Found without counting. */
function lastNumber(store: Store): number {
  return Number(store.get('SELECT max(rowid) AS last FROM rooms')?.['last'] ?? 0)
}

/** Looks at one row, however many there are; a row that is gone is nobody's room. */
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

/** One clock for each part of the world is enough for a working day; a place of an unknown city goes by UTC. */
function hoursAhead(code: string): number {
  const city = cities.find((known) => known.code === code)
  return city ? partHours[city.part] : 0
}
