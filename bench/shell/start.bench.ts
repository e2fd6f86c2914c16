import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright'
import type { BenchRow } from '../row.ts'
import { launchChromium } from '../support/chromium.ts'
import { percentile } from '../support/percentile.ts'
import { fillCache, startProcess, webShell } from '../support/web-shell.ts'

/**
 * From the start of the web shell's process to the first cached row on the screen, with 20,000 devices in the cache and
 * no reachable service; beside a bare Node process that serves a page of one line. The browser already runs.
 */
const devices = 20_000
const rounds = 9

export async function run(): Promise<BenchRow[]> {
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const shell = webShell(profile)
  const browser = await launchChromium()
  try {
    await fillCache(profile, devices, 6)
    const muster: number[] = []
    const bare: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await startAndShow(browser, ['-e', bareServer], 'listitem'))
      muster.push(await startAndShow(browser, shell, 'gridcell'))
    }
    const value = Math.round(percentile(muster, 0.95))
    return [
      {
        name: 'web shell’s start to cached rows on the screen, 20,000 devices (p95 of 9)',
        value,
        unit: 'ms',
        baseline: Math.round(percentile(bare, 0.95)),
        target: 1_500,
        holds: value <= 1_500,
      },
      {
        name: 'the same, median',
        value: Math.round(percentile(muster, 0.5)),
        unit: 'ms',
        baseline: Math.round(percentile(bare, 0.5)),
        target: null,
        holds: null,
      },
    ]
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

/** Resolves with the milliseconds from the process's start to the first element of `role` on the screen. */
async function startAndShow(browser: Browser, args: string[], role: 'gridcell' | 'listitem'): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const began = performance.now()
  const started = await startProcess(args)
  await page.goto(started.url, { waitUntil: 'commit' })
  await page.getByRole(role).first().waitFor()
  const took = performance.now() - began
  await context.close()
  await started.stop()
  return took
}

const bareServer = `
const server = require('node:http').createServer((_, response) => response.setHeader('content-type', 'text/html').end('<ul><li>one</li></ul>'))
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`
