import { shapeOf } from '../pacing/cost/shape.ts'
import type { ServiceError } from './classify.ts'
import { readPage, type DeviceUpdate } from './decode.ts'
import { baseSelection, type Operation } from './operations.ts'

/**
 * Returns the operation that reads all base fields of `count` devices, each under an alias; variables as
 * `statesByIdsOperation`.
 */
export function devicesByIdsOperation(count: number, idType: string): Operation {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const document = (of: readonly number[]): string =>
    `query DevicesByIds(${of.map((index) => `$i${index}: ${idType}`).join(', ')}) { ${of.map((index) => `d${index}: device(id: $i${index}) { ${baseSelection} }`).join(' ')} }`
  const { key, once } = shapeOf(document([0]))
  return { name: 'DevicesByIds', document: document(numbers), shape: { key, once: 0, each: once } }
}

/** Reads its answer, under the rules of a page's devices. A device that is null, or failed as a whole, is left out. */
export function readDevicesByIds(
  data: unknown,
  ids: readonly string[],
  errors: readonly ServiceError[],
): DeviceUpdate[] {
  const answer = typeof data === 'object' && data !== null ? new Map<string, unknown>(Object.entries(data)) : new Map()
  const edges = ids.map((_, index) => ({ node: answer.get(`d${index}`) ?? null }))
  const placed = errors.map((error) => ({ ...error, path: pathInPage(error.path) }))
  const page = readPage(
    { tenant: { inventory: { deviceSearch: { edges, pageInfo: { hasNextPage: false, nextToken: null } } } } },
    placed,
  )
  const requested = new Set(ids)
  return (page?.devices ?? []).filter(({ id }) => requested.has(id))
}

/** Returns the path of an error as in a page: `d3.site` is `tenant.inventory.deviceSearch.edges.3.node.site`. */
function pathInPage(path: ServiceError['path']): ServiceError['path'] {
  const [, index] = /^d(\d{1,4})$/u.exec(String(path?.[0] ?? '')) ?? []
  return index === undefined || path === null
    ? path
    : ['tenant', 'inventory', 'deviceSearch', 'edges', Number(index), 'node', ...path.slice(1)]
}
