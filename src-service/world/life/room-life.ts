import type { Life } from './life.ts'
import { startRandom } from '../random.ts'
import type { Random } from '../random.ts'
import type { MeetingRoom } from '../verbs/room-people.ts'
import type { World } from '../world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** In the busiest hour a meeting begins in each free room every 90 minutes. */
const MEETINGS_PER_ROOM_AND_MS = 1 / (90 * MINUTE)

/** Activity of each hour of a working day, from midnight; Saturdays and Sundays count as night. */
const NIGHT = 0.02
const hours = [
  NIGHT,
  NIGHT,
  NIGHT,
  NIGHT,
  NIGHT,
  NIGHT,
  0.05,
  0.15,
  0.4,
  0.9,
  1,
  0.9,
  0.4,
  0.7,
  1,
  0.9,
  0.7,
  0.4,
  0.15,
  0.08,
  0.05,
  NIGHT,
  NIGHT,
  NIGHT,
]

/** From `at` on there are `count` people in the room. */
type Step = { at: number; count: number }
/** The remaining steps of a meeting, the next one first; there is always one. */
type Meeting = { roomId: string; next: Step; rest: Step[] }

/**
 * Creates meetings: rooms fill and empty through the local working day, up to one and a half times their capacity.
 * `since` (milliseconds since 1970) is the start, with empty rooms. Only rooms with a meeting take time, so that
 * hundreds of thousands of rooms cost no more than hundreds.
 */
export function createRoomLife(world: World, seed: number, since: number): Life {
  const random = startRandom(seed ^ 0x900bad)
  const gap = (): number => -Math.log(1 - random.next()) / (Math.max(1, world.roomNumbers()) * MEETINGS_PER_ROOM_AND_MS)
  const meetings = openHeap<Meeting>(({ next }) => next.at)
  const taken = new Set<string>()
  let [now, end, nextStart] = [since, since, since + gap()]

  const begin = (): void => {
    const room = world.anyRoom(random.next)
    if (!room || taken.has(room.id) || !random.chance(busyness(now + room.hoursAhead * HOUR))) return
    taken.add(room.id)
    meetings.push({ roomId: room.id, ...meetingFrom(random, now, room) })
  }
  const continueMeeting = ({ roomId, next, rest }: Meeting): void => {
    const [following, ...later] = rest
    const there = world.room(roomId) !== undefined
    if (there) world.setPeople(roomId, next.count)
    // Removed after it is done, so that a failed step is repeated with the next advance.
    meetings.shift()
    if (there && following) meetings.push({ roomId, next: following, rest: later })
    else taken.delete(roomId)
  }
  return {
    advance(ms) {
      end += ms
      for (;;) {
        const meeting = meetings.first()
        const next = Math.min(nextStart, meeting?.next.at ?? Infinity)
        if (next > end) break
        now = next
        if (!meeting || next === nextStart) [nextStart] = [now + gap(), begin()]
        else continueMeeting(meeting)
      }
      now = end
    },
  }
}

function busyness(localTime: number): number {
  const time = new Date(localTime)
  const weekend = time.getUTCDay() === 0 || time.getUTCDay() === 6
  return weekend ? NIGHT : (hours[time.getUTCHours()] ?? NIGHT)
}

/**
 * Returns the steps of a meeting: people enter in up to three steps, stay for a quarter of an hour to an hour, and
 * leave in two.
 */
function meetingFrom(random: Random, start: number, { capacity }: MeetingRoom): Pick<Meeting, 'next' | 'rest'> {
  const seats = Math.max(1, capacity ?? 8)
  const crowd = random.chance(0.03)
    ? random.int(seats, Math.floor(seats * 1.5))
    : 1 + Math.floor(random.next() * random.next() * seats)
  const first = random.int(1, crowd)
  const second = random.int(first, crowd)
  const all = start + random.int(90, 240) * SECOND
  const end = start + random.int(15, 60) * MINUTE
  return {
    next: { at: start, count: first },
    rest: [
      { at: start + random.int(10, 80) * SECOND, count: second },
      { at: all, count: crowd },
      { at: end, count: random.int(0, crowd) },
      { at: end + random.int(10, 120) * SECOND, count: 0 },
    ],
  }
}

/** Returns a binary heap: the item with the smallest key first. */
function openHeap<T>(keyOf: (item: T) => number) {
  const heap: { key: number; item: T }[] = []
  const keyAt = (index: number): number => heap[index]?.key ?? Infinity
  const swap = (a: number, b: number): void => {
    const [one, other] = [heap[a], heap[b]]
    if (one && other) [heap[a], heap[b]] = [other, one]
  }
  const sink = (start: number): void => {
    for (let index = start; ;) {
      const child = keyAt(2 * index + 1) <= keyAt(2 * index + 2) ? 2 * index + 1 : 2 * index + 2
      if (keyAt(child) >= keyAt(index)) return
      swap(index, child)
      index = child
    }
  }
  return {
    /** Returns the item with the smallest key, which stays. */
    first: (): T | undefined => heap[0]?.item,
    push(item: T): void {
      heap.push({ key: keyOf(item), item })
      for (let index = heap.length - 1; index > 0;) {
        const parent = (index - 1) >> 1
        if (keyAt(parent) <= keyAt(index)) return
        swap(index, parent)
        index = parent
      }
    },
    /** Removes the item with the smallest key. */
    shift(): void {
      swap(0, heap.length - 1)
      heap.pop()
      sink(0)
    },
  }
}
