import type { Device } from '../world/device.ts'
import type { People, World } from '../world/world.ts'

/** With more waiting events a reader counts as not reading. */
const MAX_WAITING = 20_000
/** Subscriptions of one reader, plus their ids. */
const MAX_WATCHED = 200_000

/** Passes changes to their watchers. Edge-triggered: nothing at the start (twin section 12). */
export type Hub = {
  /**
   * Returns the changes of these devices from now on for which `sees` is true, until the caller ends the iterator or
   * the hub stops.
   */
  watch(
    deviceIds: readonly string[],
    isVisible?: (device: Device) => boolean,
    reader?: Reader,
  ): AsyncGenerator<Device, void, void>
  /** Returns the changes of people in these rooms, as `watch`. */
  watchPeople(
    roomIds: readonly string[],
    isVisible?: (people: People) => boolean,
    reader?: Reader,
  ): AsyncGenerator<People, void, void>
  /** Returns every watched device id, once, sorted. */
  watched(): string[]
  watchedRooms(): string[]
  stop(): void
}

/** A receiver of events from any number of subscriptions, which share its limits. */
export type Reader = {
  /** Number of events that wait for it. */
  waiting: number
  /** Number of its subscriptions and their ids. */
  watching: number
  /** Called when it has fallen behind; its subscriptions have ended then. */
  onBehind(): void
}

export class TooManyWatched extends Error {
  override readonly name = 'TooManyWatched'
}

/** Starts the hub. `watch` and `watchPeople` throw TooManyWatched for a reader with more than 200,000 ids. */
export function startHub(world: World): Hub {
  const devices = openTopic<Device>(({ id }) => id)
  const people = openTopic<People>(({ roomId }) => roomId)
  const stops = [world.onChange(devices.publish), world.onPeople((roomId) => people.watches(roomId), people.publish)]
  return {
    watch: devices.watch,
    watchPeople: people.watch,
    watched: devices.watched,
    watchedRooms: people.watched,
    stop() {
      for (const off of stops) off()
      devices.stop()
      people.stop()
    },
  }
}

type Watcher<T> = { ids: ReadonlySet<string>; isVisible: (item: T) => boolean; queue: Queue<T> }

function openTopic<T>(idOf: (item: T) => string) {
  const byId = new Map<string, Set<Watcher<T>>>()
  const leave = (watcher: Watcher<T>): void => {
    for (const id of watcher.ids) {
      const watchers = byId.get(id)
      if (watchers?.delete(watcher) && watchers.size === 0) byId.delete(id)
    }
  }
  return {
    watch(given: readonly string[], isVisible: (item: T) => boolean = () => true, reader: Reader = aloneReader()) {
      const ids = new Set(given)
      const weight = 1 + ids.size
      if (reader.watching + weight > MAX_WATCHED)
        throw new TooManyWatched(`One socket watches at most ${MAX_WATCHED} ids`)
      reader.watching += weight
      const queue = openQueue<T>(reader, () => {
        reader.watching -= weight
        leave(watcher)
      })
      const watcher: Watcher<T> = { ids, isVisible, queue }
      for (const id of ids) byId.set(id, (byId.get(id) ?? new Set()).add(watcher))
      return queue.items
    },
    publish(item: T) {
      for (const watcher of byId.get(idOf(item)) ?? []) if (watcher.isVisible(item)) watcher.queue.push(item)
    },
    watches: (id: string) => byId.has(id),
    watched: () => [...byId.keys()].sort(),
    stop() {
      for (const watcher of new Set([...byId.values()].flatMap((watchers) => [...watchers])))
        void watcher.queue.items.return()
    },
  }
}

function aloneReader(): Reader {
  return { waiting: 0, watching: 0, onBehind: () => undefined }
}

type Queue<T> = { push(item: T): void; items: AsyncGenerator<T, void, void> }

/**
 * Returns an iterator with values from outside that, unlike a generator function, ends at once on `return`, even while
 * it waits.
 */
function openQueue<T>(consumer: Reader, onEnd: () => void): Queue<T> {
  const waiting: T[] = []
  let reader: ((result: IteratorResult<T, void>) => void) | null = null
  let ended = false
  const end = (): IteratorResult<T, void> => {
    if (!ended) onEnd()
    ended = true
    consumer.waiting -= waiting.length
    waiting.length = 0
    reader?.({ done: true, value: undefined })
    reader = null
    return { done: true, value: undefined }
  }
  const items: AsyncGenerator<T, void, void> = {
    next() {
      const value = waiting.shift()
      if (value !== undefined) {
        consumer.waiting -= 1
        return Promise.resolve({ done: false, value })
      }
      if (ended) return Promise.resolve({ done: true, value: undefined })
      return new Promise((resolve) => (reader = resolve))
    },
    return: () => Promise.resolve(end()),
    async throw(error) {
      end()
      throw error
    },
    [Symbol.asyncIterator]: () => items,
    [Symbol.asyncDispose]: () => Promise.resolve(void end()),
  }
  return {
    items,
    push(item) {
      if (ended) return
      if (reader) {
        reader({ done: false, value: item })
        reader = null
        return
      }
      waiting.push(item)
      consumer.waiting += 1
      if (consumer.waiting <= MAX_WAITING) return
      end()
      consumer.onBehind()
    },
  }
}
