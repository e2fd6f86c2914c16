import type { Selected } from './selection.ts'

/**
 * What the cost of an operation may depend on, by the root field below which it counts: some root fields are lists, whose
 * items the service counts. '' for what is selected at the root itself.
 */
export type Features = readonly RootFeatures[]

export interface RootFeatures {
  root: string
  of: readonly Feature[]
}

/**
 * A count of `times` × size^`power`, where size is the operation's page size. A name that begins with `:` stands for one field
 * within its parent, the others are the same for every operation.
 */
export type Feature = readonly [name: string, times: number, power: number]

/** Most features of an operation: beyond them, fields count only as such. */
const maxFeatures = 120
/** The operation itself. */
const operation: Feature = ['operation', 1, 0]

/** Returns what a field counts for in the cost. */
export function featuresOf({ path, isObject, isPage, times, power }: Selected): Feature[] {
  const depth = path.length
  const [parent, name] = [path.at(-2) ?? '', path.at(-1) ?? '']
  return [
    ['fields', times, power],
    ['depths', times * depth, power],
    ['written', 1, 0],
    ['written depths', depth, 0],
    [`:${parent}.${name}`.slice(0, 100), times, power],
    ...(isObject
      ? ([
          ['objects', times, power],
          ['object depths', times * depth, power],
        ] satisfies Feature[])
      : []),
    ...(isPage ? ([['pages', times, power]] satisfies Feature[]) : []),
  ]
}

/** Returns the root field below which a field counts. */
export const rootOf = ({ path }: Pick<Selected, 'path'>): string => (path.length < 2 ? '' : (path[0] ?? ''))

/** Returns what the cost of an operation may depend on. */
export function featuresIn(fields: readonly Selected[]): Features {
  const roots = new Map([['', new Map([['operation 0', operation]])]])
  let count = 1
  for (const field of fields) {
    const sums = roots.get(rootOf(field)) ?? new Map<string, Feature>()
    roots.set(rootOf(field), sums)
    for (const [name, times, power] of featuresOf(field)) {
      const key = `${name} ${power}`
      const before = sums.get(key)
      if (before === undefined && count >= maxFeatures) continue
      if (before === undefined) count += 1
      sums.set(key, [name, (before?.[1] ?? 0) + times, power])
    }
  }
  return [...roots].map(([root, sums]) => ({ root, of: [...sums.values()] }))
}

/** Returns the features of as many such operations in one as its size says. */
export const repeated = (features: Features): Features =>
  features.map(({ root, of }) => ({
    root,
    of: of.map(([name, times, power]) => [name, times, name === operation[0] ? power : power + 1]),
  }))

/** True for a feature of one field. */
export const isOwn = (name: string): boolean => name.startsWith(':')
/** True for a feature that counts what is written, however often it is resolved. */
export const isWritten = (name: string): boolean => name.startsWith('written')

export type Counts = ReadonlyMap<string, number>

/** Returns how often each feature counts for a page size, with so many items of a root field. */
export function counts(features: Features, size: number, itemsOf: (root: string) => number): Counts {
  const found = new Map<string, number>()
  for (const { root, of } of features) {
    const items = itemsOf(root)
    for (const [name, times, power] of of) {
      const count = Math.min(times * size ** power * (isWritten(name) ? 1 : items), maxCount)
      found.set(name, (found.get(name) ?? 0) + count)
    }
  }
  return found
}

const maxCount = 1e12
