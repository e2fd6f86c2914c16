import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import {
  createCluster,
  endOf,
  freePort,
  logOfReady,
  nativeFolder,
  runOptions,
  spawnServer,
  usualSettings,
  writeOwned,
} from '../../../scripts/team/postgres.mjs'
import type { Served } from '../../main/platform/web/certificates.ts'

const native = nativeFolder()

/** Says in a test's name why it is skipped; '' where the server can run. */
export const noPostgres = native === null ? ' (skipped: no PostgreSQL for this computer is installed)' : ''

export interface Postgres {
  port: number
  /** The server's log so far, line by line. */
  log: string[]
  /** Runs SQL as the superuser. Several statements may be separated by semicolons, without values. */
  admin(sql: string, database?: string): Promise<Record<string, unknown>[]>
}

export interface PostgresOptions {
  /** Encrypts with this certificate who asks for it; plain connections stay possible. */
  tls?: Served
  /** Settings of `postgresql.conf`. */
  settings?: Record<string, string>
}

/** Starts a server on a free port of 127.0.0.1, in a folder of its own. What is handed to `onEnd` ends and removes it. */
export async function startPostgres(
  onEnd: (stop: () => Promise<void>) => void,
  { tls, settings = {} }: PostgresOptions = {},
): Promise<Postgres> {
  if (native === null) throw new Error('no PostgreSQL for this computer is installed')
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-postgres-'))
  onEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const options = runOptions(native, folder)
  const superuser = { user: 'admin', password: 'the superuser’s password' }
  const passwordFile = writeOwned(folder, 'password', superuser.password)
  await createCluster(native, folder, ['--auth=scram-sha-256', `--pwfile=${passwordFile}`], options)
  const port = await freePort()
  const all = { port: String(port), ...usualSettings, ...encryption(folder, tls), ...settings }
  const server = spawnServer(native, folder, all, options)
  onEnd(endOf(server))
  const log = await logOfReady(server)
  const admin = async (sql: string, database = 'postgres') => {
    const client = new Client({ host: '127.0.0.1', port, database, ssl: false, ...superuser })
    await client.connect()
    try {
      const { rows } = await client.query(sql)
      return rows
    } finally {
      await client.end()
    }
  }
  return { port, log, admin }
}

function encryption(folder: string, tls: Served | undefined): Record<string, string> {
  if (tls === undefined) return {}
  return {
    ssl: 'on',
    ssl_cert_file: writeOwned(folder, 'server.crt', tls.cert),
    ssl_key_file: writeOwned(folder, 'server.key', tls.key),
  }
}
