import { spawn } from 'node:child_process'
import process from 'node:process'
import { root } from '../setup.mjs'
import { sizeOf } from '../start/runtime.mjs'

/** Longest time without output or written bytes of the packager, ms. */
export const silenceLimit = 180_000

/**
 * Runs the packager, and ends it after `limit` without output or new bytes in `folders`.
 * @param {{ program: string, args: string[], env: NodeJS.ProcessEnv, folders: string[], limit?: number, log?: (text:
 * string) => void }} options `limit` in ms
 * @returns {Promise<number|null>} its code; null when it was ended
 */
export function runWatched({
  program,
  args,
  env,
  folders,
  limit = silenceLimit,
  log = (text) => process.stderr.write(text),
}) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [activeAt, size] = [Date.now(), 0]
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      activeAt = Date.now()
      log(String(text))
    })
  }
  const timer = setInterval(() => {
    const now = folders.reduce((sum, each) => sum + sizeOf(each), 0)
    if (now !== size) [activeAt, size] = [Date.now(), now]
    if (Date.now() - activeAt > limit) child.kill('SIGKILL')
  }, limit / 36)
  return new Promise((resolve) => {
    child.once('error', () => resolve(1))
    // Its children may keep its outputs open; its own output is complete.
    child.once('exit', (code) => code === null && resolve(null))
    child.once('close', (code) => resolve(code))
  }).finally(() => clearInterval(timer))
}
