/** The truth: what each device was, and when it changed. */
export interface Fleet {
  readonly devices: readonly Device[]
  /** The device is the other way round from now on. */
  turn(device: Device, now: number): void
}

export interface Device {
  readonly id: string
  readonly tenant: string
  readonly key: string
  readonly first: boolean
  /** When it changed, ms; its word number n + 1 begins with the n-th of these. */
  readonly changes: number[]
}

/** The number of the word that holds now: 0 before the first change. */
export const wordNow = ({ changes }: Device): number => changes.length

/** The state of an event: each is the opposite of the one before. */
export const saysOnline = ({ first }: Device, word: number): boolean => (word % 2 === 0 ? first : !first)

export const service = 's'

export function newFleet(sizes: readonly number[], firstOf: () => boolean): Fleet {
  const devices = sizes.flatMap((size, at) =>
    Array.from({ length: size }, (_, n): Device => {
      const tenant = String.fromCodePoint(97 + at)
      const id = `${tenant}${n}`
      return { id, tenant, key: `${service}/${tenant}/${id}`, first: firstOf(), changes: [] }
    }),
  )
  return { devices, turn: ({ changes }, now) => void changes.push(now) }
}
