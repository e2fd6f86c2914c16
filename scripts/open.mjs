import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Milliseconds until Electron must have said that it is there. */
const readyLimit = 15_000

/** Milliseconds that a shell has to end in order when it is told to, and then again when it is sent a signal. */
const endLimit = 5_000

/**
 * Runs a shell of Muster and hands the end of this process on to it, as a message: that works on Windows too, and the
 * shell also ends when this process dies, because the channel closes. Node does not vouch for that channel where the other
 * program is not Node, which Electron is: so a shell that hears nothing of it is ended.
 */
function start(program, args, stdout, { env = process.env, patience = endLimit } = {}) {
  const child = spawn(program, args, { stdio: ['inherit', stdout, 'inherit', 'ipc'], env })
  // What cannot be sent is not heard: what follows from that is seen to below.
  const tell = (word) => child.connected && child.send(word, () => {})
  tell('here')
  let timer
  const end = () => {
    tell('stop')
    timer ??= setTimeout(() => {
      // A signal ends it in order where there are signals, and at once on Windows.
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
 * The web shell, until it ends. Answers with its code.
 * @returns {Promise<number>}
 */
export function openWeb(node, entry, args) {
  // node:sqlite says that it is experimental; the operator can do nothing with that.
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
 * The Electron shell, until it ends: its code, or why its window did not open. What it says first,
 * once the application is ready, begins with its name.
 * @param {string} program Electron's  @param {string} root what it runs: the repository's folder
 * @returns {Promise<{ code: number } | { reason: string }>}
 */
export function openDesktop(program, root, args, { limit = readyLimit, patience = endLimit, say = console.log } = {}) {
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env
  const child = start(program, [root, ...args], 'pipe', { env, patience })
  return new Promise((resolve) => {
    let ready = false
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      resolve({ reason: `the desktop window was not ready within ${Math.round(limit / 1000)} s` })
    }, limit)
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('Muster ')) {
        ready = true
        clearTimeout(late)
      }
      say(line)
    })
    const end = (code) => {
      clearTimeout(late)
      resolve(ready || code === 0 ? { code: code ?? 1 } : { reason: 'Electron did not start' })
    }
    child.on('error', () => end(null))
    // Its last words are read first.
    child.on('close', end)
  })
}
