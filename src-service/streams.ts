import type { Device } from './world/device.ts'
import type { World } from './world/world.ts'

/** More events than this waiting for one subscriber mean that it no longer reads: its subscription ends. */
const MAX_WAITING = 20_000

/** Passes changes of devices on to those who watch them. Edge-triggered: nothing at the start (twin section 12). */
export type Hub = {
  /** The changes of these devices from now on, of which `sees` holds, until the caller returns the iterator or the hub stops. */
  watch(deviceIds: readonly string[], sees?: (device: Device) => boolean): AsyncGenerator<Device, void, void>
  /** Every id that somebody watches, once, sorted. */
  watched(): string[]
  stop(): void
}

type Watcher = { ids: ReadonlySet<string>; sees: (device: Device) => boolean; queue: Queue<Device> }

export function startHub(world: World): Hub {
  const byId = new Map<string, Set<Watcher>>()
  const off = world.onChange((device) => {
    for (const watcher of byId.get(device.id) ?? []) if (watcher.sees(device)) watcher.queue.push(device)
  })
  const enter = (watcher: Watcher): void => {
    for (const id of watcher.ids) byId.set(id, (byId.get(id) ?? new Set()).add(watcher))
  }
  const leave = (watcher: Watcher): void => {
    for (const id of watcher.ids) {
      const watchers = byId.get(id)
      if (watchers?.delete(watcher) && watchers.size === 0) byId.delete(id)
    }
  }
  return {
    watch(deviceIds, sees = () => true) {
      const watcher: Watcher = { sees, ids: new Set(deviceIds), queue: openQueue(() => leave(watcher)) }
      enter(watcher)
      return watcher.queue.items
    },
    watched: () => [...byId.keys()].sort(),
    stop() {
      off()
      for (const watcher of new Set([...byId.values()].flatMap((watchers) => [...watchers]))) void watcher.queue.items.return()
    },
  }
}

type Queue<T> = { push(item: T): void; items: AsyncGenerator<T, void, void> }

/** An iterator that is fed from outside. Unlike a generator function, it ends at once on `return`, also while it waits. */
function openQueue<T>(onEnd: () => void): Queue<T> {
  const waiting: T[] = []
  let reader: ((result: IteratorResult<T, void>) => void) | null = null
  let ended = false
  const end = (): IteratorResult<T, void> => {
    if (!ended) onEnd()
    ended = true
    waiting.length = 0
    reader?.({ done: true, value: undefined })
    reader = null
    return { done: true, value: undefined }
  }
  const items: AsyncGenerator<T, void, void> = {
    next() {
      const value = waiting.shift()
      if (value !== undefined) return Promise.resolve({ done: false, value })
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
      } else if (waiting.push(item) > MAX_WAITING) end()
    },
  }
}
