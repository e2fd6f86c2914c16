import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const stampFile = path.join(root, 'node_modules', '.muster-stamp')

/** Says one line and ends the process with code 1. Scripts fail with words, not with a stack. */
export function giveUp(line) {
  console.error(line)
  process.exit(1)
}

/**
 * Installs the dependencies when they are missing or older than package.json or the lockfile. What is up to date is
 * left alone; the stamp in node_modules tells.
 */
export function ensureInstalled() {
  if (Number(process.versions.node.split('.')[0]) < 20) giveUp('Muster needs Node 20.19 or newer.')
  const wanted = installStamp()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  if (installedByHand()) return writeFileSync(stampFile, wanted)
  console.error('Installing the dependencies (once)')
  if (!install()) giveUp('The dependencies could not be installed; npm says why above.')
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted)
}

/**
 * `npm ci` refuses a lockfile that does not name every platform's optional packages, which happens when a registry
 * lacked some of them; `npm install` takes the same versions from it and leaves it as it is.
 */
function install() {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const locked = existsSync(path.join(root, 'package-lock.json'))
  if (locked && npm(['ci', ...quiet], 'pipe').status === 0) return true
  return npm(['install', '--no-save', ...quiet], 2).status === 0
}

/** Somebody ran npm themselves: what npm noted down in node_modules is what the lockfile asks for on this platform. */
function installedByHand() {
  const locked = readPackages('package-lock.json')
  const present = readPackages('node_modules/.package-lock.json')
  if (locked === null || present === null) return false
  return Object.entries(locked).every(([name, entry]) => {
    const perhaps = entry.libc !== undefined || (entry.optional === true && entry.os === undefined)
    const wanted = name !== '' && !perhaps && fits(entry.os, process.platform) && fits(entry.cpu, process.arch)
    return !wanted || present[name]?.version === entry.version
  })
}

function fits(allowed, own) {
  return allowed === undefined || allowed.includes(own)
}

function readPackages(name) {
  try {
    return JSON.parse(readFileSync(path.join(root, name), 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/** npm's messages go to stderr, or nowhere: stdout is for the address only. */
function npm(args, messages) {
  // npm tells its children where it is; run through Node it needs no shell, not even on Windows.
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
 * Path of a Node 24 or newer: this one, else the one among the dependencies. Ends with a line when there
 * is neither.
 */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const found = bundledNodes().find((file) => existsSync(file) && answers24(file))
  return found ?? giveUp('Muster needs Node 24: install Node 24 from https://nodejs.org and start again.')
}

/** `.bin/node` is a shell script on Windows, so the packages' own programs are named as well. */
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

function answers24(file) {
  const { stdout } = spawnSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  return Number((stdout ?? '').split('.')[0]) >= 24
}
