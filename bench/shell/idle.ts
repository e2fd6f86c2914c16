import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright'
import { WebSocket } from 'ws'
import { signInBy } from '../../test/support/sign-in.ts'
import type { BenchRow } from '../row.ts'
import { launchChromium } from '../support/chromium.ts'
import { addressesOf, forkReference } from '../support/reference.ts'
import { addressOf, webShell } from '../support/web-shell.ts'

const devices = 20_000
/** Duration of each measurement, and the longest wait for idleness before, ms. */
const watchedMs = 60_000
const restMs = 20_000

/**
 * Preloaded before the program itself (and in its threads, where it does nothing): answers requests for
 * `process.cpuUsage()`.
 */
const responder = `process.on('message', (message) => { if (message === 'cpu') process.send?.(process.cpuUsage()) })
process.channel?.unref()`

/** The baseline: a process that does nothing once a second. */
const bare = 'setInterval(() => {}, 1000)'

/**
 * Measures the processor share of the built web shell with its core, its data thread and a live link, while the service
 * is idle; without a window, and with one that shows the inventory. Beside a bare Node process.
 */
export async function idleRows(): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const reference = await forkReference({ devices, tenants: 12 })
  const preload = path.join(folder, 'responder.mjs')
  writeFileSync(preload, responder)
  const floor = started(preload, ['-e', bare])
  const shell = started(preload, webShell(path.join(folder, 'profile')))
  const browser = await launchChromium()
  try {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await page.goto(await addressOf(shell))
    await connectAndSync(page, { id: null, name: 'bench', subscription: '', portal: '', ...addressesOf(reference) })
    await rest()
    const [open, beside] = await watch(shell, floor)
    await page.close()
    await rest()
    const [closed, besideIt] = await watch(shell, floor)
    return [
      row(`idle core, ${devices} devices, live, a window open`, open, beside),
      row(`idle core, ${devices} devices, live, no window`, closed, besideIt),
    ]
  } finally {
    await browser.close()
    for (const child of [shell, floor]) await ended(child)
    await reference.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function started(preload: string, args: string[]): ChildProcess {
  return spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `--import=${pathToFileURL(preload).href}`, ...args],
    { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] },
  )
}

const rest = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, restMs)
  })

/** Resolves with the share of one processor that each uses from now on, per cent; both over the same time. */
async function watch(...children: ChildProcess[]): Promise<[number, number]> {
  const before = await Promise.all(children.map(cpuOf))
  const began = performance.now()
  await new Promise<void>((resolve) => {
    setTimeout(resolve, watchedMs)
  })
  const took = performance.now() - began
  const after = await Promise.all(children.map(cpuOf))
  const [own = 0, other = 0] = after.map((now, index) => ((now - (before[index] ?? 0)) / took) * 100)
  return [own, other]
}

/** Resolves with the processor time of all its threads so far, ms. */
async function cpuOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message')
  child.send('cpu')
  const [{ user, system }] = (await answer) as [NodeJS.CpuUsage]
  return (user + system) / 1000
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

function row(name: string, share: number, beside: number): BenchRow {
  const value = Number(share.toFixed(3))
  return {
    name: `${name} (over ${watchedMs / 1000} s)`,
    value,
    unit: '% of a processor',
    baseline: Number(beside.toFixed(3)),
    target: 0.5,
    holds: value <= 0.5,
  }
}

/**
 * Saves the connection over a pipe of its own with the session of the page's window; resolves when all is synced and
 * the link is live.
 */
async function connectAndSync(page: Page, input: object): Promise<void> {
  const { origin, host } = new URL(page.url())
  const session = await page.waitForFunction(() => sessionStorage.getItem('muster.session'))
  await page.waitForFunction(() => sessionStorage.getItem('muster.once') === null)
  const pipe = new WebSocket(`ws://${host}/pipe`, { headers: { origin } })
  try {
    await once(pipe, 'open')
    await signInBy(pipe, String(await session.jsonValue()), origin)
    const synced = whenSynced(pipe)
    pipe.send(JSON.stringify({ id: 1, call: 'connections.save', input }))
    await synced
  } finally {
    pipe.terminate()
  }
}

function whenSynced(pipe: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    pipe.on('close', (code, reason) => reject(new Error(`the pipe was closed with ${code} ${String(reason)}`)))
    pipe.on('message', (frame) => {
      const { event, data } = JSON.parse(String(frame)) as {
        event?: string
        data?: { link: { state: string }; sync: { state: string }; lastReadingAt: number | null }[]
      }
      const state = event === 'connections' ? data?.[0] : undefined
      if (state?.link.state === 'live' && state.sync.state === 'idle' && state.lastReadingAt !== null) resolve()
    })
  })
}
