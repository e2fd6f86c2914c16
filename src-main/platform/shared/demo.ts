import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import type { DemoService } from '../../connections/connections.ts'
import type { Log } from '../../ports.ts'

export interface Demo {
  service: DemoService
  stop(): Promise<void>
}

/** The service's process, as a shell starts it. */
export interface DemoProcess {
  stdout: NodeJS.ReadableStream
  stderr: NodeJS.ReadableStream
  /** Calls the listener once at its end; null when it could not be started or was killed. */
  onExit(listener: (code: number | null) => void): void
  /** Asks it to end; `hard` kills it. */
  kill(force: boolean): void
}

export interface DemoOptions {
  /** Starts the service with these arguments. It must never outlive this process, however that ends. */
  launch(args: string[]): DemoProcess
  /** Null: the service's default. */
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
 * Starts the reference service as a process of its own, on loopback; resolves when it is ready. Rejects when it ends
 * before. If it ends later, the log records it, and the console shows an unavailable service.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-demo-'))
  const caFile = path.join(folder, 'ca.pem')
  const child = options.launch([
    '--port=0',
    `--ca-out=${caFile}`,
    ...(options.devices === null ? [] : [`--devices=${options.devices}`]),
  ])
  createInterface(child.stderr).on('line', (line) => options.log('info', `demo service: ${line}`))
  const exit = new Promise<number | null>((resolve) => child.onExit(resolve))
  let running = false
  void exit.then(() => {
    if (running)
      options.log('warn', 'the demo service has ended; quit Muster (Ctrl-C) and start it again to have it back')
  })
  try {
    const announced = await firstLine(child, exit, options.clock)
    running = true
    const ca = readFileSync(caFile, 'utf8')
    return {
      service: {
        tokenUrl: announced.token_url,
        graphqlUrl: announced.graphql_url,
        subscriptionUrl: announced.subscription_url,
        clientId: announced.client_id,
        clientSecret: announced.client_secret,
        ca,
      },
      stop: () => {
        running = false
        return end(child, exit, options.clock)
      },
    }
  } catch (error) {
    await end(child, exit, options.clock)
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function firstLine(
  child: DemoProcess,
  exit: Promise<number | null>,
  clock: Clock,
): Promise<z.infer<typeof announcement>> {
  return new Promise((resolve, reject) => {
    void exit.then((code) => reject(new Error(`The demo service ended at its start (code ${code}); see muster.log.`)))
    // Only the first line is read; the rest is consumed, so that its pipe never fills.
    createInterface(child.stdout).once('line', (line) => {
      const announced = announcement.safeParse(tryJson(line))
      if (announced.success) resolve(announced.data)
      else reject(new Error('The demo service did not print its addresses.'))
    })
    clock.after(30_000, () => reject(new Error('The demo service was not ready within 30 s.')))
  })
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Asks it to end, and kills it after a second. */
async function end(child: DemoProcess, exit: Promise<unknown>, clock: Clock): Promise<void> {
  child.kill(false)
  const hasEnded = await Promise.race([exit.then(() => true), wait(clock, 1000).then(() => false)])
  if (!hasEnded) child.kill(true)
  await exit
}
