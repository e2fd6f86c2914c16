import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { root } from '../setup.mjs'

/** Longest wait for a console that was told to end, ms. */
const endLimit = 8000

/**
 * Starts the web shell on a profile; `url` resolves with its address, or rejects with why there is none. A second start on
 * the same profile leads to the first, with a new address, and ends.
 * In a group of its own Ctrl-C does not reach it, so that it ends before the database; it ends by itself when this
 * process is gone.
 */
export function startConsole(profile, { open = false, env = process.env } = {}) {
  const entry = path.join(root, 'out', 'main', 'web.js')
  const flags = ['--no-demo', `--profile=${profile}`, ...(open ? [] : ['--no-open'])]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env,
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  const url = addressOf(child)
  // Whoever ends it before does not ask.
  url.catch(() => {})
  return { url, ended, stop: () => stop(child, ended), kill: () => kill(child, ended) }
}

/** Resolves with the address that a console prints. */
function addressOf(child) {
  let last = ''
  return new Promise((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => (last = line))
    createInterface(child.stdout).on('line', (line) => {
      const url = /^Muster is at (\S+)$/u.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(last || 'it ended at once')))
  })
}

async function stop(child, ended) {
  if (child.connected) child.send('stop', () => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), endLimit)
  await ended
  clearTimeout(timer)
}

async function kill(child, ended) {
  child.kill('SIGKILL')
  await ended
}
