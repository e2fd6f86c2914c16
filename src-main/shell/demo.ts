import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { wait, type Clock } from '../../src-shared/clock.ts'
import type { DemoService } from '../core.ts'
import type { Log } from '../ports.ts'

export interface Demo {
  service: DemoService
  stop(): Promise<void>
}

export interface DemoOptions {
  /** The reference service's entry: `out/service/main.js`, or its source. */
  entry: string
  /** Null: the service's own default. */
  devices: number | null
  clock: Clock
  log: Log
}

/** The one line that the service prints when it is ready. */
const announcement = z.object({
  token_url: z.url(),
  graphql_url: z.url(),
  subscription_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
})

/**
 * Starts the reference service as a process of its own, on loopback, and answers when it can be asked. Throws when it
 * ends before. If it ends later, the log tells; the console then shows what it shows when a service is gone.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-demo-'))
  const caFile = path.join(folder, 'ca.pem')
  const child = launch(options, caFile)
  let running = false
  child.once('exit', () => {
    if (running) options.log('warn', 'the demo service has ended; npm start brings it back')
  })
  try {
    const said = await firstLine(child, options, () => (running = true))
    const ca = readFileSync(caFile, 'utf8')
    return {
      service: {
        tokenUrl: said.token_url,
        graphqlUrl: said.graphql_url,
        subscriptionUrl: said.subscription_url,
        clientId: said.client_id,
        clientSecret: said.client_secret,
        ca,
      },
      stop: () => {
        running = false
        return end(child, options.clock)
      },
    }
  } catch (error) {
    await end(child, options.clock)
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * `--with-parent`: the service ends when its stdin closes, so that it never outlives a console that was killed. It
 * stands in a process group of its own, or Ctrl-C would end it before the console has let go of it.
 */
function launch(options: DemoOptions, caFile: string): ChildProcess {
  const args = ['--disable-warning=ExperimentalWarning', options.entry, '--with-parent', '--port=0', `--ca-out=${caFile}`]
  if (options.devices !== null) args.push(`--devices=${options.devices}`)
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  if (child.stderr) createInterface(child.stderr).on('line', (line) => options.log('info', `demo service: ${line}`))
  return child
}

function firstLine(child: ChildProcess, options: DemoOptions, onReady: () => void): Promise<z.infer<typeof announcement>> {
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new Error('The demo service could not be started.')))
    child.once('exit', (code) => reject(new Error(`The demo service ended at its start (code ${code}); muster.log says more.`)))
    if (!child.stdout) return reject(new Error('The demo service has no output.'))
    // Only the first line is meant for us; the rest is read on, so that its pipe never fills.
    createInterface(child.stdout).once('line', (line) => {
      const said = announcement.safeParse(tryJson(line))
      if (said.success) {
        onReady()
        resolve(said.data)
      } else reject(new Error('The demo service did not say where it is.'))
    })
    options.clock.after(30_000, () => reject(new Error('The demo service was not ready within 30 s.')))
  })
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Asks it to end, and ends it when it has not within a second. */
async function end(child: ChildProcess, clock: Clock): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const given = await Promise.race([gone.then(() => true), wait(clock, 1000).then(() => false)])
  if (!given) child.kill('SIGKILL')
  await gone
}
