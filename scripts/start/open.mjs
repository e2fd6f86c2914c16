import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Longest wait for Electron's first output, ms. */
const readyLimit = 15_000

/** Longest wait for a shell's end after the message, and again after a signal, ms. */
const endLimit = 5_000

/**
 * Runs a shell of Muster and passes the end of this process on to it, as a message: that works on Windows too, and the
 * shell also ends when this process dies, because the channel closes. Node does not guarantee that channel to another
 * program such as Electron, so a shell that does not react is killed.
 */
function start(program, args, stdout, { env = process.env, patience = endLimit } = {}) {
  const child = spawn(program, args, { stdio: ['inherit', stdout, 'inherit', 'ipc'], env })
  // A message that cannot be sent is ignored; the timers below end the shell.
  const send = (word) => child.connected && child.send(word, () => {})
  send('here')
  let timer
  const end = () => {
    send('stop')
    timer ??= setTimeout(() => {
      // A signal ends it in order, and at once on Windows.
      child.kill('SIGTERM')
      timer = setTimeout(() => child.kill('SIGKILL'), patience)
    }, patience)
  }
  for (const signal of signals) process.on(signal, end)
  child.once('exit', () => {
    clearTimeout(timer)
    for (const signal of signals) process.off(signal, end)
  })
  return child
}

/**
 * Runs the web shell until it ends. Resolves with its code.
 * @returns {Promise<number>}
 */
export function openWeb(node, entry, args) {
  // Hides the warning that node:sqlite is experimental, which operators cannot act on.
  const child = start(
    node,
    ['--disable-warning=ExperimentalWarning', '--enable-source-maps', entry, ...args],
    'inherit',
  )
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`Muster could not be started: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/**
 * Runs the Electron shell until it ends: resolves with its code, or why its window did not open. Its first output, once
 * the application is ready, begins with its name.
 * @param {string} program Electron's  @param {string} root the repository's folder, which it runs
 * @returns {Promise<{ code: number } | { reason: string }>}
 */
export function openDesktop(program, root, args, { limit = readyLimit, patience = endLimit, log = console.log } = {}) {
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env
  const child = start(program, [root, ...args], 'pipe', { env, patience })
  return new Promise((resolve) => {
    let ready = false
    const timeout = setTimeout(() => {
      child.kill('SIGKILL')
      resolve({ reason: `the desktop window was not ready within ${Math.round(limit / 1000)} s` })
    }, limit)
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('Muster ')) {
        ready = true
        clearTimeout(timeout)
      }
      log(line)
    })
    const end = (code) => {
      clearTimeout(timeout)
      resolve(ready || code === 0 ? { code: code ?? 1 } : { reason: 'Electron did not start' })
    }
    child.on('error', () => end(null))
    // Its last output is read first.
    child.on('close', end)
  })
}
