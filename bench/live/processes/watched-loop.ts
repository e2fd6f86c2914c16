import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

export interface Loop {
  /** The longest time that the loop took to come round, ms, and the longest collection in it. */
  stall: number
  p99: number
  collection: number
  /** The most processor time that its thread used before it came round, ms: where others want the machine too, a stall is longer than that. */
  busy: number
  /** The most that this thread's heap held when the loop came round, MB. */
  heap: number
}

const tickMs = 2

/** What this thread does between `begin` and `read`. */
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

/** The most memory that this process ever had, as the operating system counts it, MB. */
export const peakResident = (): number => process.resourceUsage().maxRSS / 1024

/** The processor time that this process has used so far, ms: all its threads, and the one that asks. */
export function processorTime(): { process: number; thread: number } {
  const sum = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
  return { process: sum(process.cpuUsage()), thread: sum(process.threadCpuUsage()) }
}
