import { print, type OperationDefinitionNode } from 'graphql'
import type { CallInput } from '../../../src-shared/contract/contract.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { readDocument, shapeOf, type Shape } from '../../pacing/cost/shape.ts'
import { idOfKey } from '../../inventory/keys.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import { knownRows, type KnownTenant } from './known-rows.ts'
import { pagedOperation, readOperation, type PagedOperation } from './paged-operation.ts'
import type { Target } from './target-walk.ts'
import { newWalk } from './target-walk.ts'
import { forTenant, tenantVariable } from './tenant-variable.ts'

export type Batch = CallInput<'query.batchCost'>

/** The requests that a batch consists of, as far as they are known before. */
export interface Targets {
  /** Why it cannot be run so; null: it can. */
  problem: string | null
  /** The paged field, or why there is none. */
  field: string | null
  notPaged: string
  all: Target[]
}

/** Returns what a batch would send. Throws a fault of kind `input` for an operation that is none. */
export async function targetsOf(
  batch: Batch,
  operation: OperationDefinitionNode,
  data: Pick<InventoryData, 'locations'>,
): Promise<Targets> {
  const read = readOperation(readDocument(batch.document), operation.name?.value ?? null)
  const variable = batch.tenants ? tenantVariable(read) : null
  const first = pagedOperation(read, batch.variables)
  const known = { field: 'why' in first ? null : first.field, notPaged: 'why' in first ? first.why : '' }
  const fail = (problem: string): Targets => ({ ...known, problem, all: [] })
  if (variable !== null && 'why' in variable) return fail(variable.why)
  if (batch.pages && known.field === null) return fail(known.notPaged)
  const tenants = await tenantsOf(data)
  const chosen =
    variable === null
      ? batch.connections.slice(0, 1).map((connection) => ({ connection, tenant: null }))
      : ownersOf(tenants, batch.connections)
  if (chosen.length === 0) return fail('No tenant of the chosen connections is known yet.')
  const shapes = new Map<string, Shape>()
  const all = chosen.map(({ connection, tenant }, slot) => {
    const variables =
      tenant === null || variable === null ? batch.variables : forTenant(batch.variables, variable, tenant.id)
    const operationFor = pagedOperation(read, variables)
    const paged = 'why' in operationFor ? null : operationFor
    const request = { document: print(read.document), variables }
    const seen = tenants.filter(({ connections }) => connections.includes(connection))
    return {
      connection,
      slot,
      tenant: tenant === null ? null : { tenant: tenant.name, tenantId: tenant.id, region: tenant.region },
      paged,
      request,
      toEnd: batch.pages,
      operationName: operation.name?.value ?? null,
      shape: shapeFor(shapes, paged?.request(null, null, 0).document ?? request.document),
      walk: newWalk(paged?.size ?? null),
      expectedRows: rowsOf(paged, variables, seen),
    }
  })
  return { ...known, problem: null, all }
}

const rowsOf = (paged: PagedOperation | null, variables: Record<string, unknown>, seen: readonly KnownTenant[]) =>
  paged === null ? null : knownRows(paged.connection, variables, seen)

function shapeFor(known: Map<string, Shape>, document: string): Shape {
  const shape = known.get(document) ?? shapeOf(document)
  known.set(document, shape)
  return shape
}

async function tenantsOf(data: Pick<InventoryData, 'locations'>): Promise<KnownTenant[]> {
  const { tenants } = await data.locations({ keys: [], paused: [] })
  return tenants.map(({ key, name, region, devices, read, connections }) => ({
    key,
    id: idOfKey(key),
    name,
    region,
    devices,
    read,
    connections,
  }))
}

/** Returns each tenant once, with the first of the connections that lists it (invariant 9). */
function ownersOf(
  tenants: readonly KnownTenant[],
  connections: readonly string[],
): { connection: string; tenant: KnownTenant }[] {
  const owned = new Set<string>()
  return connections.flatMap((connection) =>
    tenants.flatMap((tenant) => {
      if (owned.has(tenant.key) || !tenant.connections.includes(connection)) return []
      owned.add(tenant.key)
      return [{ connection, tenant }]
    }),
  )
}

/** Throws where a batch cannot be run. */
export function rejectProblem({ problem }: Targets): void {
  if (problem !== null) throw new FaultError('input', `document: ${problem}`)
}
