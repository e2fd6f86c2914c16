import { z } from 'zod'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { inTransaction, type TeamPool, type Transaction, type TransactionOptions } from './pool.ts'
import { teamSteps } from './steps.ts'

/**
 * The team's schema, as this Muster may use it. `ready`: as this Muster makes it. `newer`: of a newer Muster, so this
 * one only reads. `behind`: of an older Muster, and this role may not migrate it, so this Muster only reads until the
 * owner role has signed in with this version.
 */
export type SchemaOutcome =
  | { is: 'ready'; version: number }
  | { is: 'newer'; version: number }
  | { is: 'behind'; version: number }

/**
 * The schema as it was found. `missing`: this role may make it. `older`: this role may migrate it. `owner`: the
 * schema's owner; null where there is no schema.
 */
export type SchemaState =
  | SchemaOutcome
  | { is: 'missing'; owner: string | null }
  | { is: 'older'; version: number; owner: string }

/** Arbitrary, the same in each version of Muster: the lock under which one member migrates while the others wait. */
const migrationLock = 1_299_542_900

/**
 * Makes the schema or migrates it, where that is needed and this role may, in one transaction: of members that start at
 * once one does it, and a step that fails leaves nothing. Rejects with a `FaultError`: `forbidden` where this role
 * lacks a right or the server is read-only, `input` where a schema of this name is not Muster's.
 */
export function migrateTeam(
  pool: TeamPool,
  { steps = teamSteps, ...options }: TransactionOptions & { steps?: readonly string[] } = {},
): Promise<SchemaOutcome> {
  return inTransaction(
    pool,
    async (transaction) => {
      const found = await readSchema(transaction, pool.where, steps.length)
      if (found.is !== 'missing' && found.is !== 'older') return found
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
      // Another member may have done it meanwhile.
      const state = await readSchema(transaction, pool.where, steps.length)
      if (state.is !== 'missing' && state.is !== 'older') return state
      await runSteps(transaction, state, steps)
      return { is: 'ready', version: steps.length }
    },
    options,
  )
}

async function runSteps(
  transaction: Transaction,
  state: Extract<SchemaState, { is: 'missing' | 'older' }>,
  steps: readonly string[],
): Promise<void> {
  if (state.owner === null) await transaction.query('CREATE SCHEMA muster')
  // So that all objects have one owner, whichever of its members migrates.
  else await transaction.query(`SELECT set_config('role', $1, true)`, [state.owner])
  const done = state.is === 'missing' ? 0 : state.version
  for (const step of steps.slice(done)) await transaction.query(step)
  await transaction.query('UPDATE muster.schema_version SET version = $1, migrated_at = now()', [steps.length])
}

/** What lets a role act as another one: from PostgreSQL 16 on membership alone does not. */
const roleRight = `CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END`

/** The catalogue and the functions of rights answer every role, whatever it may do with the schema. */
const foundSql = `SELECT
    n.oid IS NOT NULL AS "exists",
    pg_get_userbyid(n.nspowner) AS "owner",
    coalesce(pg_has_role(n.nspowner, ${roleRight}), has_database_privilege(current_database(), 'CREATE')) AS "mayMigrate",
    coalesce(has_schema_privilege(n.oid, 'USAGE'), true) AS "mayUse",
    v.oid IS NOT NULL AS "isMusters",
    EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid) AS "hasTables",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly"
  FROM (SELECT) AS one
  LEFT JOIN pg_catalog.pg_namespace n ON n.nspname = 'muster'
  LEFT JOIN pg_catalog.pg_class v ON v.relnamespace = n.oid AND v.relname = 'schema_version'`

const foundRow = z.object({
  exists: z.boolean(),
  owner: z.string().nullable(),
  mayMigrate: z.boolean(),
  mayUse: z.boolean(),
  isMusters: z.boolean(),
  hasTables: z.boolean(),
  isReadOnly: z.boolean(),
})

const versionRow = z.object({ version: z.int() })

/**
 * Reads the state of the schema and changes nothing. `current`: the version that this Muster makes. Rejects as
 * `migrateTeam`.
 */
export async function readSchema(
  transaction: Transaction,
  where: string,
  current = teamSteps.length,
): Promise<SchemaState> {
  const rows = await transaction.query(foundSql)
  const found = foundRow.parse(rows[0])
  if (found.isReadOnly)
    throw new FaultError('forbidden', `${where}: the server takes no changes: it is a standby, or set to read-only`)
  if (!found.isMusters) return { is: 'missing', owner: ownerOfMissing(found, where) }
  if (!found.mayUse)
    throw new FaultError('forbidden', `${where}: this role may not use the schema muster; it needs the member role`)
  const [row] = await transaction.query('SELECT version FROM muster.schema_version')
  const { version } = versionRow.parse(row)
  if (version === current) return { is: 'ready', version }
  if (version > current) return { is: 'newer', version }
  return found.mayMigrate ? { is: 'older', version, owner: found.owner ?? '' } : { is: 'behind', version }
}

function ownerOfMissing(found: z.infer<typeof foundRow>, where: string): string | null {
  if (found.exists && found.hasTables)
    throw new FaultError('input', `${where}: the schema muster in this database was not made by Muster`)
  if (!found.mayMigrate)
    throw new FaultError(
      'forbidden',
      `${where}: the team’s tables are not there yet, and this role may not make them; sign in with the owner role first`,
    )
  return found.owner
}
