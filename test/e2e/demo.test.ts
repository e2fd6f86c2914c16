import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { temporaryProfile, until } from '../support/fleet.ts'
import { useWindows } from '../support/window.ts'
import { partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()

interface Started {
  child: ChildProcess
  /** Resolves with the address that is printed, or fails when the process ends before. */
  address: Promise<string>
  ended: Promise<number | null>
  log: string[]
}

/** `npm start`, as a person runs it. */
const start = (...args: string[]): Started => startIn({}, ...args)

function startIn(env: Record<string, string>, ...args: string[]): Started {
  const child = spawn(process.execPath, [path.resolve('scripts/start.mjs'), '--no-open', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const log: string[] = []
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        log.push(line)
        const found = /^Muster is at (\S+)$/u.exec(line)
        if (found?.[1] !== undefined) resolve(found[1])
      })
    }
    void ended.then((code) => reject(new Error(`npm start ended with ${code}: ${log.join('\n')}`)))
  })
  windows.leftovers.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  return { child, address, ended, log }
}

test(
  'npm start shows a demo fleet that lives, and says DEMO; Ctrl-C ends all of it at once',
  { timeout: 90_000 },
  async () => {
    const profile = temporaryProfile(windows.leftovers)
    const started = start('--port=0', `--profile=${profile}`)
    const page = await windows.open(await started.address, {
      log: started.log,
      expected: [/WebSocket connection to .* failed/u],
    })
    const { totals, status, rows } = partsOf(page)
    await page.getByRole('banner').getByText('DEMO', { exact: true }).waitFor()
    // It opens on the overview, with a past: a panel says what is made up.
    const greeting = page.getByRole('region', { name: 'Demo' })
    await greeting.getByText(/half a year of outages/u).waitFor()
    await expect
      .poll(() => page.getByRole('region', { name: 'Most disconnects' }).getByRole('button').count(), {
        timeout: 60_000,
      })
      .toBeGreaterThan(5)
    await greeting.getByRole('button', { name: 'Look around' }).click()
    expect(await greeting.count()).toBe(0)
    const screens = page.getByRole('navigation', { name: 'Screens' })
    await screens.getByRole('button', { name: 'Incidents' }).click()
    const closed = page.getByRole('radio', { name: /^Closed/u })
    await expect
      .poll(() => closed.getAttribute('value').then(() => page.getByText(/^Closed\s*[\d,]{3,}/u).count()))
      .toBe(1)
    await screens.getByRole('button', { name: 'Inventory' }).click()
    await expect.poll(() => page.title()).toMatch(/^(\(\d+\) )?DEMO · (\d+ critical · )?\d+ offline · Muster$/u)
    await shows(totals, /^5,000 devices: [\d,]+ online, \d+ offline, \d+ unknown$/u, 60_000)
    await rows.first().waitFor()
    // Devices drop and come back by themselves: about one in five seconds.
    await shows(status.getByText(/^Last event/u), /^Last event (just now|\d+ s ago)$/u, 40_000)

    // A second start on the same profile leads to the one that runs.
    const second = start('--port=0', `--profile=${profile}`)
    const address = await second.address
    expect(await second.ended).toBe(0)
    expect(new URL(address).port).toBe(new URL(await started.address).port)
    const other = await windows.open(address, { log: second.log, expected: [/WebSocket connection to .* failed/u] })
    await other.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Inventory' }).click()
    await shows(partsOf(other).totals, /^5,000 devices:/u)

    const family = descendants(started.child.pid ?? 0)
    expect(process.platform !== 'linux' || family.length >= 2).toBe(true)
    const before = performance.now()
    started.child.kill('SIGINT')
    expect(await started.ended).toBe(0)
    expect(performance.now() - before).toBeLessThan(2_000)
    await until(() => expect(family.filter(alive)).toEqual([]), 2_000)
    await page.getByText(/core is not running/u).waitFor()
    await page.getByRole('banner').getByText('DEMO', { exact: true }).waitFor()
  },
)

test("the demo leads to Muster for one's own connections, which ends with it", { timeout: 120_000 }, async () => {
  const home = temporaryProfile(windows.leftovers)
  const started = startIn({ XDG_DATA_HOME: home }, '--port=0', `--profile=${temporaryProfile(windows.leftovers)}`)
  const page = await windows.open(await started.address, {
    log: started.log,
    expected: [/WebSocket connection to .* failed/u],
  })
  const demo = new URL(page.url()).port
  await page.getByRole('region', { name: 'Demo' }).getByRole('button', { name: 'Import customers' }).click()
  await page.getByRole('dialog', { name: 'Import connections' }).waitFor()
  expect(new URL(page.url()).port).not.toBe(demo)
  expect(new URL(page.url()).hash).toBe('')
  expect(await page.getByText(/DEMO/u).count()).toBe(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  const family = descendants(started.child.pid ?? 0)
  started.child.kill('SIGINT')
  expect(await started.ended).toBe(0)
  await until(() => expect(family.filter(alive)).toEqual([]), 5_000)
})

test('npm start without the demo asks for a connection', { timeout: 90_000 }, async () => {
  const started = start('--port=0', '--no-demo', `--profile=${temporaryProfile(windows.leftovers)}`)
  const page = await windows.open(await started.address, {
    log: started.log,
    expected: [/WebSocket connection to .* failed/u],
  })
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  expect(await page.getByText(/DEMO/u).count()).toBe(0)
  started.child.kill('SIGINT')
  expect(await started.ended).toBe(0)
})

/** Processes below `pid`, where the system lists them (Linux). */
function descendants(pid: number): number[] {
  if (process.platform !== 'linux') return []
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }]
      } catch {
        // It has ended since the list was made.
        return []
      }
    })
  const below = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap((each) => [each.pid, ...below(each.pid)])
  return below(pid)
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
