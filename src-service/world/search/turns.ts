/** Work in slices: between two of them whatever else the process has to do comes first. */
export type Sliced<T> = Generator<void, T, void>

/** Lets long pieces of work run beside everything else, and beside each other. */
type Turns = {
  /**
   * The result of the work, done slice by slice. Pieces for the same asker follow one another; of different askers the one
   * that has had least comes first, so that whoever asks for much waits for it alone. Fails with a `TooLongError` when
   * all that was done for this asker has taken longer than is allowed.
   */
  take<T>(asker: object, work: Sliced<T>): Promise<T>
}

type TurnOptions = {
  /** What one asker may take in all, ms. */
  longest: number
  /** Milliseconds since any moment. */
  clock: () => number
}

export class TooLongError extends Error {
  override readonly name = 'TooLongError'
}

/** Slices go on for so long before the process looks at its sockets again, ms. */
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
    // Behind all others that have had as much.
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
