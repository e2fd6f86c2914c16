/** Work in slices: between two of them the rest of the process runs. */
export type Sliced<T> = Generator<void, T, void>

/** Runs long work beside everything else, and fairly beside other work. */
type Scheduler = {
  /**
   * Resolves with the result of the work, done slice by slice. Work of one asker runs in order; of different askers the
   * one with the least time so far runs first, so that a heavy one waits alone. Rejects with a `TooLongError` when all
   * work of this asker exceeds its time.
   */
  run<T>(asker: object, work: Sliced<T>): Promise<T>
}

type SchedulerOptions = {
  /** Longest total time of one asker, ms. */
  limit: number
  /** Milliseconds since any moment. */
  clock: () => number
}

export class TooLongError extends Error {
  override readonly name = 'TooLongError'
}

/** Time of slices before the process handles its sockets again, ms. */
const TURN = 10

type Queue = { next: () => boolean; fail: () => void }[]

export function startScheduler({ limit, clock }: SchedulerOptions): Scheduler {
  const queues = new Map<object, Queue>()
  const spent = new WeakMap<object, number>()
  const spentBy = (asker: object): number => spent.get(asker) ?? 0
  const step = (asker: object, queue: Queue): void => {
    const began = clock()
    if (queue[0]?.next()) queue.shift()
    const taken = spentBy(asker) + clock() - began
    spent.set(asker, taken)
    if (taken > limit) queue.splice(0).forEach(({ fail }) => fail())
    // Behind all others that have had as much time.
    queues.delete(asker)
    if (queue.length > 0) queues.set(asker, queue)
  }
  const turn = (): void => {
    const end = clock() + TURN
    do {
      const [asker, queue] = [...queues].reduce((one, other) => (spentBy(other[0]) < spentBy(one[0]) ? other : one))
      step(asker, queue)
    } while (queues.size > 0 && clock() < end)
    if (queues.size > 0) setImmediate(turn)
  }
  return {
    run: (asker, work) =>
      new Promise((resolve, reject) => {
        const fail = (): void =>
          reject(new TooLongError(`The searches of this operation took longer than ${limit / 1000} s`))
        if (spentBy(asker) > limit) return fail()
        const next = (): boolean => {
          try {
            const { done, value } = work.next()
            if (done) resolve(value as Awaited<typeof value> & Exclude<typeof value, void>)
            return done === true
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)))
            return true
          }
        }
        if (queues.size === 0) setImmediate(turn)
        const queue = queues.get(asker)
        if (queue) queue.push({ next, fail })
        else queues.set(asker, [{ next, fail }])
      }),
  }
}
