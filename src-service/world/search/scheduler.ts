/** Work in slices: between two of them the rest of the process runs. */
export type Sliced<T> = Generator<void, T, void>

/** Runs long work beside everything else, and fairly beside other work. */
type Turns = {
  /**
   * Resolves with the result of the work, done slice by slice. Work of one asker runs in order; of different askers the
   * one with the least time so far runs first, so that a heavy one waits alone. Rejects with a `TooLongError` when all
   * work of this asker exceeds its time.
   */
  take<T>(asker: object, work: Sliced<T>): Promise<T>
}

type TurnOptions = {
  /** Longest total time of one asker, ms. */
  longest: number
  /** Milliseconds since any moment. */
  clock: () => number
}

export class TooLongError extends Error {
  override readonly name = 'TooLongError'
}

/** Time of slices before the process handles its sockets again, ms. */
const TURN = 10

type Line = { next: () => boolean; fail: () => void }[]

export function startTurns({ longest, clock }: TurnOptions): Turns {
  const lines = new Map<object, Line>()
  const spent = new WeakMap<object, number>()
  const spentBy = (asker: object): number => spent.get(asker) ?? 0
  const step = (asker: object, line: Line): void => {
    const began = clock()
    if (line[0]?.next()) line.shift()
    const taken = spentBy(asker) + clock() - began
    spent.set(asker, taken)
    if (taken > longest) line.splice(0).forEach(({ fail }) => fail())
    // Behind all others that have had as much time.
    lines.delete(asker)
    if (line.length > 0) lines.set(asker, line)
  }
  const turn = (): void => {
    const end = clock() + TURN
    do {
      const [asker, line] = [...lines].reduce((one, other) => (spentBy(other[0]) < spentBy(one[0]) ? other : one))
      step(asker, line)
    } while (lines.size > 0 && clock() < end)
    if (lines.size > 0) setImmediate(turn)
  }
  return {
    take: (asker, work) =>
      new Promise((resolve, reject) => {
        const fail = (): void =>
          reject(new TooLongError(`The searches of this operation took longer than ${longest / 1000} s`))
        if (spentBy(asker) > longest) return fail()
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
        if (lines.size === 0) setImmediate(turn)
        const line = lines.get(asker)
        if (line) line.push({ next, fail })
        else lines.set(asker, [{ next, fail }])
      }),
  }
}
