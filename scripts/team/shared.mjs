import { fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Longest wait for the end of the database and the service, ms. */
const endLimit = 10_000

/**
 * Starts what the consoles share (backend.mjs). `onEnd`: it has ended by itself.
 * @returns its facts once it is ready, and what stops it, from the first moment on
 */
export function startShared({ devices, onEnd }) {
  const child = fork(fileURLToPath(new URL('backend.mjs', import.meta.url)), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: process.platform !== 'win32',
  })
  const waiting = new Map()
  let isStopping = false
  const ended = once(child, 'exit')
  const ready = new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message.is === 'ready') resolve(message)
      if (message.is === 'failed') reject(new Error(message.text))
      if (message.is === 'answer') waiting.get(message.id)?.(message.count)
    })
    child.once('error', reject)
    void ended.then(() => {
      reject(new Error('the database and the service ended'))
      if (!isStopping) onEnd()
    })
  })
  child.send({ is: 'start', devices })
  return {
    ready,
    /** Resolves with the number of changed devices. */
    ask: (verb, count) =>
      new Promise((resolve) => {
        const id = waiting.size + 1
        waiting.set(id, resolve)
        child.send({ is: 'verb', id, verb, count })
      }),
    async stop() {
      isStopping = true
      if (child.connected) child.send({ is: 'stop' }, () => {})
      const timer = setTimeout(() => child.kill('SIGKILL'), endLimit)
      if (child.exitCode === null && child.signalCode === null) await ended
      clearTimeout(timer)
    },
  }
}
