import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const stampFile = path.join(root, 'node_modules', '.muster-stamp')

/** Prints one line and ends the process with code 1: scripts fail with a message, not with a stack. */
export function exitWithError(line) {
  console.error(line)
  process.exit(1)
}

/**
 * Installs the dependencies when they are missing or older than package.json or the lockfile, as the stamp in
 * node_modules shows.
 */
export function ensureInstalled() {
  if (Number(process.versions.node.split('.')[0]) < 20) exitWithError('Muster needs Node 20.19 or newer.')
  const wanted = installStamp()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  if (installedByHand()) return writeFileSync(stampFile, wanted)
  console.error('Installing the dependencies (once)')
  if (!install()) exitWithError('The dependencies could not be installed; npm’s message is above.')
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted)
}

/**
 * Runs the installation. `npm ci` rejects a lockfile without every platform's optional packages, which happens when a
 * registry lacked some; `npm install` takes the same versions from it and leaves it unchanged.
 */
function install() {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const locked = existsSync(path.join(root, 'package-lock.json'))
  if (locked && npm(['ci', ...quiet], 'pipe').status === 0) return true
  return npm(['install', '--no-save', ...quiet], 2).status === 0
}

/** Returns whether the user ran npm: its record in node_modules matches the lockfile on this platform. */
function installedByHand() {
  const locked = readPackages('package-lock.json')
  const present = readPackages('node_modules/.package-lock.json')
  if (locked === null || present === null) return false
  return Object.entries(locked).every(([name, entry]) => {
    const isUncertain = entry.libc !== undefined || (entry.optional === true && entry.os === undefined)
    const wanted =
      name !== '' && !isUncertain && supports(entry.os, process.platform) && supports(entry.cpu, process.arch)
    return !wanted || present[name]?.version === entry.version
  })
}

function supports(allowed, own) {
  return allowed === undefined || allowed.includes(own)
}

function readPackages(name) {
  try {
    return JSON.parse(readFileSync(path.join(root, name), 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/** Runs npm. Its messages go to stderr, or nowhere: stdout is for the address only. */
function npm(args, messages) {
  // npm passes its path to its children; run through Node it needs no shell, not even on Windows.
  const own = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', messages, messages] }
  if (own !== undefined && /npm-cli\.c?js$/.test(own)) return spawnSync(process.execPath, [own, ...args], options)
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}

function installStamp() {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json']) {
    const file = path.join(root, name)
    hash.update(existsSync(file) ? readFileSync(file) : 'none').update('\0')
  }
  return hash.update(`${process.platform}-${process.arch}`).digest('hex')
}

/**
 * Returns the path of a Node 24 or newer: this one, or the one among the dependencies. Ends with a message without
 * either.
 */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const found = bundledNodes().find((file) => existsSync(file) && isNode24(file))
  return found ?? exitWithError('Muster needs Node 24: install Node 24 from https://nodejs.org and start again.')
}

/**
 * Returns the paths of bundled Nodes. `.bin/node` is a shell script on Windows, so the packages' own programs are
 * listed too.
 */
function bundledNodes() {
  const modules = path.join(root, 'node_modules')
  const target = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const inPackage = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const names = [target, `node-bin-${process.platform}-${process.arch}`]
  return [
    ...names.map((name) => path.join(modules, name, inPackage)),
    ...(process.platform === 'win32' ? [] : [path.join(modules, '.bin', 'node')]),
  ]
}

function isNode24(file) {
  const { stdout } = spawnSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  return Number((stdout ?? '').split('.')[0]) >= 24
}
