import type { Store } from '../store.ts'
import type { SchemaData } from './schema-protocol.ts'

type SchemaCalls = {
  [N in keyof SchemaData]: (input: Parameters<SchemaData[N]>[0]) => Awaited<ReturnType<SchemaData[N]>>
}

/** The calls about schemas of services (schema-protocol.ts). */
export function schemaCalls({ journal, inventory }: Store): SchemaCalls {
  const { schemas } = journal
  return {
    schemaHistory: ({ connection }) => ({ last: schemas.last(connection), entries: schemas.entries(connection) }),
    saveSchema: (input) => schemas.save(input),
    regions({ connection }) {
      const counts = new Map<string | null, number>()
      for (const { connections, region } of inventory.tenants.values())
        if (connections.has(connection)) counts.set(region, (counts.get(region) ?? 0) + 1)
      return [...counts].map(([id, tenants]) => ({ id, tenants })).toSorted((one, other) => other.tenants - one.tenants)
    },
  }
}
