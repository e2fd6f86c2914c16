import type { StoredSchema, StoredSchemaEntry } from '../../storage/journal/schemas.ts'
import type { CallOrder } from './call-order.ts'

/** The data thread's calls about the schemas of services (protocol.ts), by connection. */
export interface SchemaData {
  /** Returns the last schema that was read whole, and the entries of the history, the newest first. */
  schemaHistory(input: { connection: string }): Promise<{ last: StoredSchema | null; entries: StoredSchemaEntry[] }>
  /** Returns the regions of the tenants that a connection lists, with the number of these; null: it names none. */
  regions(input: { connection: string }): Promise<{ id: string | null; tenants: number }[]>
  /** Writes the last schema, an entry, or both at once; of the entries the newest `most` are kept. */
  saveSchema(input: {
    connection: string
    schema: Pick<StoredSchema, 'form' | 'readAt'> | null
    entry: StoredSchemaEntry | null
    most: number
  }): Promise<void>
}

export const schemaCallOrder: { readonly [N in keyof SchemaData]: CallOrder } = {
  schemaHistory: 'ordered',
  regions: 'read',
  saveSchema: 'ordered',
}
