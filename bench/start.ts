import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Browser } from 'playwright'
import { startCore } from '../src-main/core.ts'
import { openMemory } from '../src-main/secrets/memory.ts'
import { openNetwork } from '../src-main/web/network.ts'
import { openSettings } from '../src-main/web/settings.ts'
import { systemClock } from '../src-shared/clock.ts'
import type { BenchRow } from './row.ts'
import { forkReference } from './support/reference.ts'

/**
 * From starting the web shell's process to the first cached row on the screen, with 20,000 devices in the cache and no
 * service to be reached; beside a bare Node process that serves a page of one line. The browser runs already.
 */
const devices = 20_000
const rounds = 9
const shell = path.resolve('out/main/web.js')

export async function run(): Promise<BenchRow[]> {
  if (!existsSync(shell)) throw new Error('out/main/web.js is missing: run `npm run build` first')
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const browser = await chromium.launch({ ...browserOptions(), args: browserArgs })
  try {
    await fillCache(profile)
    const muster: number[] = []
    const bare: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await startAndShow(browser, ['-e', bareServer], 'listitem'))
      muster.push(await startAndShow(browser, [shell, '--no-demo', '--no-open', '--port', '0', '--profile', profile], 'gridcell'))
    }
    const value = Math.round(percentile(muster, 0.95))
    return [
      { name: 'web shell’s start to cached rows on the screen, 20,000 devices (p95 of 9)', value, unit: 'ms', baseline: Math.round(percentile(bare, 0.95)), target: 1_500, holds: value <= 1_500 },
      { name: 'the same, median', value: Math.round(percentile(muster, 0.5)), unit: 'ms', baseline: Math.round(percentile(bare, 0.5)), target: null, holds: null },
    ]
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

async function fillCache(profile: string): Promise<void> {
  const reference = await forkReference(devices, 6)
  const core = await startCore({
    network: openNetwork({}), secrets: openMemory('this session only: a benchmark'), settings: openSettings(profile, systemClock),
    clock: systemClock, paths: { profile, dataThread: path.resolve('src-main/data/thread.ts') }, log: () => {},
  }, { shell: 'web', version: 'bench', demo: null })
  const { stop: stopReference, ...addresses } = reference
  const read = new Promise<void>((resolve) => {
    core.on('connections', ([state]) => { if (state !== undefined && state.lastReadingAt !== null) resolve() })
  })
  await core.handlers['connections.save']({ id: null, name: 'bench', subscription: '', portal: '', ...addresses })
  await read
  await core.stop()
  await stopReference()
}

/** Milliseconds from the process's start to the first element of `role` on the screen. */
async function startAndShow(browser: Browser, args: string[], role: 'gridcell' | 'listitem'): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const began = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  await page.goto(await addressOf(child), { waitUntil: 'commit' })
  await page.getByRole(role).first().waitFor()
  const took = performance.now() - began
  await context.close()
  const gone = once(child, 'exit')
  child.kill()
  await gone
  return took
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no standard output')
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/\S+/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('the process ended without an address')
}

const bareServer = `
const server = require('node:http').createServer((_, response) => response.setHeader('content-type', 'text/html').end('<ul><li>one</li></ul>'))
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

const browserArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', '--no-first-run',
]

function browserOptions(): { executablePath?: string } {
  const found = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find((file) => file !== undefined && existsSync(file))
  return found === undefined ? {} : { executablePath: found }
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
