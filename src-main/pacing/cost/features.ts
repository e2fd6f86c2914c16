import type { Selected } from './selection.ts'

/**
 * What the cost of an operation may depend on: `[name, times, power]`, each counting `times` × size^`power`, where size is
 * the operation's page size. Names that begin with `:` stand for one field within its parent, with `@` for all below one
 * root field; the others are the same for every operation.
 */
export type Features = readonly Feature[]
export type Feature = readonly [name: string, times: number, power: number]

/** Most features of an operation: beyond them, fields count only as such. */
const maxFeatures = 120

/** Features of every operation: how many there are, and how far the cost per field differs between operations. */
const operationFeature = 'operation'

/** Returns what a field counts for in the cost, each with its number. */
export function featuresOf({ path, isObject, isPage, times, power }: Selected): Feature[] {
  const depth = path.length
  const [parent, name] = [path.at(-2) ?? '', path.at(-1) ?? '']
  return [
    ['fields', times, power],
    ['depths', times * depth, power],
    ['written', 1, 0],
    ['written depths', depth, 0],
    [`@${path[0]}`, times, power],
    [`:${parent}.${name}`.slice(0, 100), times, power],
    ...(isObject ? ([['objects', times, power], ['object depths', times * depth, power]] satisfies Feature[]) : []),
    ...(isPage ? ([['pages', times, power]] satisfies Feature[]) : []),
  ]
}

/** Returns what the cost of an operation may depend on. */
export function featuresIn(fields: readonly Selected[]): Features {
  const sums = new Map<string, Feature>([[`${operationFeature} 0`, [operationFeature, 1, 0]]])
  for (const field of fields)
    for (const [name, times, power] of featuresOf(field)) {
      const key = `${name} ${power}`
      const before = sums.get(key)?.[1] ?? 0
      if (before === 0 && sums.size >= maxFeatures && isOwn(name)) continue
      sums.set(key, [name, before + times, power])
    }
  return [...sums.values()]
}

/** Returns the features of as many such operations in one as its size says. */
export const repeated = (features: Features): Features =>
  features.map(([name, times, power]) => [name, times, name === operationFeature ? power : power + 1])

/** True for a feature of one field, or of those below one root field. */
export const isOwn = (name: string): boolean => name.startsWith(':') || name.startsWith('@')

/** Returns how often each feature counts for a page size. */
export function counts(features: Features, size: number): Map<string, number> {
  const found = new Map<string, number>()
  for (const [name, times, power] of features) {
    const count = Math.min(times * size ** power, maxCount)
    found.set(name, (found.get(name) ?? 0) + count)
  }
  return found
}

const maxCount = 1e12
