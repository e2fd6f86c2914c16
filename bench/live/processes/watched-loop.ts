import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

export interface Loop {
  /** The longest stall of the event loop, ms, and the longest garbage collection in it. */
  stall: number
  p99: number
  collection: number
  /** The most processor time of its thread in one turn, ms: on a busy machine a stall is longer. */
  busy: number
  /** Largest heap of this thread, MB. */
  heap: number
}

const tickMs = 2

/** Measures this thread between `begin` and `read`. */
export function watchedLoop() {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let [collection, busy, before, heap] = [0, 0, 0, 0]
  const tick = () => {
    const { user, system } = process.threadCpuUsage()
    busy = Math.max(busy, (user + system - before) / 1000)
    before = user + system
    heap = Math.max(heap, getHeapStatistics().used_heap_size)
  }
  setInterval(tick, tickMs).unref()
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collection = Math.max(collection, duration)
  })
  observer.observe({ entryTypes: ['gc'] })
  return {
    begin() {
      delay.reset()
      delay.enable()
      tick()
      ;[collection, busy, heap] = [0, 0, 0]
    },
    read: (): Loop => ({
      stall: delay.max / 1e6,
      p99: delay.percentile(99) / 1e6,
      collection,
      busy,
      heap: heap / 2 ** 20,
    }),
  }
}

/** Returns the peak memory of this process, as the operating system counts it, MB. */
export const peakResident = (): number => process.resourceUsage().maxRSS / 1024

/** Returns the processor time that this process and the calling thread have used so far, ms. */
export function processorTime(): { process: number; thread: number } {
  const sum = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
  return { process: sum(process.cpuUsage()), thread: sum(process.threadCpuUsage()) }
}
