import { z } from 'zod'

/**
 * How much a change of a schema matters to who wrote queries for the former one (as graphql-js has it). `breaking`: a valid
 * query may be invalid now. `dangerous`: it is valid, and may be answered with what it did not expect. `safe`: neither.
 */
export const severities = ['breaking', 'dangerous', 'safe'] as const
export type Severity = (typeof severities)[number]

/** A difference between two schemas. */
export const schemaChange = z.object({
  /** A schema coordinate (GraphQL specification, 3.14): `Device.name`, `Query.tenant(id:)`, `SortDirection.ASC`. */
  coordinate: z.string(),
  what: z.enum(['added', 'removed', 'changed', 'deprecated', 'undeprecated']),
  severity: z.enum(severities),
  /** The type before and after, or of a deprecation its reason; '' where there is none. */
  from: z.string(),
  to: z.string(),
})
export type SchemaChange = z.infer<typeof schemaChange>

/**
 * What was compared. `schema`: the whole introspection. `sync`: the device fields and the parameters of their search, which
 * each connection reads once a day. `rejection`: the service rejected fields that Muster had requested.
 */
export const schemaSources = ['schema', 'sync', 'rejection'] as const
export type SchemaSource = (typeof schemaSources)[number]

/** Differences that were found at one time. */
export const schemaEntry = z.object({
  /** When they were found, ms: they came between the reading before and this one. */
  at: z.number(),
  source: z.enum(schemaSources),
  /** Breaking ones first; at most `maxSchemaChanges`. */
  changes: z.array(schemaChange),
  /** Number of all changes. */
  total: z.number(),
})
export type SchemaEntry = z.infer<typeof schemaEntry>

/** Most changes of an entry, and entries of a connection, that are kept. */
export const maxSchemaChanges = 400
export const maxSchemaEntries = 20
