import type { Postgres } from './server.ts'

/** Cuts every connection to a database. */
export async function cutAll({ admin }: Pick<Postgres, 'admin'>, database: string): Promise<void> {
  await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`)
}

/** The tables that Muster writes while it runs, in the order in which it locks them. */
const tables = ['lead', 'log_end', 'log', 'snapshot', 'snapshot_part', 'member']

/**
 * Notes what a team's database contains, as another server does that is behind. Returns what lets that server take over: each
 * connection is cut, and what was written since is lost.
 */
export async function standby({ admin }: Pick<Postgres, 'admin'>, database: string): Promise<() => Promise<void>> {
  const copies = tables.map(
    (table) => `DROP TABLE IF EXISTS old_${table}; CREATE TABLE old_${table} AS TABLE muster.${table};`,
  )
  await admin(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copies.join('')} COMMIT`, database)
  return async () => {
    const locks = tables.map((table) => `LOCK TABLE muster.${table} IN ACCESS EXCLUSIVE MODE;`)
    const restores = tables.map(
      (table) => `DELETE FROM muster.${table}; INSERT INTO muster.${table} SELECT * FROM old_${table};`,
    )
    await cutAll({ admin }, database)
    // The rows as they were: no trigger writes its own times and roles.
    await admin(
      `BEGIN; SET LOCAL session_replication_role = replica; ${locks.join('')} ${restores.join('')} COMMIT`,
      database,
    )
  }
}
