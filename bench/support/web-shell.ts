import { smtpMail } from '../../src-main/platform/shared/mail.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { startCore, type Core } from '../../src-main/core.ts'
import { openProxyLogins } from '../../src-main/network/proxies/logins.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { openSettings } from '../../src-main/platform/web/settings.ts'
import { systemClock, type Clock } from '../../src-shared/lib/clock.ts'
import { connect, forkReference } from './reference.ts'

/** Starts a core of that profile from source, as the shells do, with its secrets in memory. */
export function openCore(profile: string, clock: Clock = systemClock): Promise<Core> {
  const [secrets, kept] = [openMemory('this session only: a benchmark'), openSettings(profile, clock)]
  return startCore(
    {
      network: openNetwork({}),
      secrets,
      proxies: openProxyLogins({ clock, settings: kept, secrets, env: {} }),
      mail: smtpMail,
      settings: kept,
      clock,
      paths: {
        profile,
        dataThread: path.resolve('src-main/inventory/thread/thread.ts'),
        answersThread: path.resolve('src-main/query/answers/thread.ts'),
      },
      log: () => {},
    },
    { shell: 'web', version: 'bench', demo: null },
  )
}

/** Syncs a fleet into the profile's cache, and leaves a connection whose service is gone. */
export async function fillCache(profile: string, devices: number, tenants: number): Promise<void> {
  const reference = await forkReference({ devices, tenants })
  const core = await openCore(profile)
  const read = new Promise<void>((resolve) => {
    core.on('connections', ([state]) => {
      if (state !== undefined && state.lastReadingAt !== null) resolve()
    })
  })
  await connect(core, reference)
  await read
  await core.stop()
  await reference.stop()
}

const shell = path.resolve('out/main/web.js')

/** Returns Node's arguments for the built web shell on that profile, on any free port and without a browser. */
export function webShell(profile: string): string[] {
  if (!existsSync(shell)) throw new Error('out/main/web.js is missing: run `npm run build` first')
  return [shell, '--no-demo', '--no-open', '--port', '0', '--profile', profile]
}

export interface Started {
  url: string
  stop(): Promise<void>
}

/** Starts a process that prints its address. */
export async function startProcess(args: string[]): Promise<Started> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  return {
    url: await addressOf(child),
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

/** Resolves with the printed address. Rejects when the process ends without one. */
export async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no standard output')
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/\S+/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('the process ended without an address')
}
