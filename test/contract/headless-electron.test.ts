import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { startMain, type ElectronMain, type MainOptions } from '../support/electron-shell.ts'
import { createLeftovers, service, temporaryProfile, until } from '../support/fleet.ts'
import { metricsToken, unitOf } from '../support/headless.ts'

/** `muster --headless`: the built main of the application, with the stand-in for Electron under it. */
const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const ended = 'the module of the main has run to its end'

/** Starts the main through a module that says when the main's own has run to its end: Electron is ready only then. */
function start(profile: string, args: string[], env: MainOptions['env'] = {}): Promise<ElectronMain> {
  const folder = temporaryProfile(leftovers)
  const program = path.join(folder, 'begin.mjs')
  const main = pathToFileURL(path.resolve('out/electron/main.js')).href
  writeFileSync(program, `await import(${JSON.stringify(main)})\nprocess.stdout.write('${ended}\\n')\n`)
  return startMain(leftovers, profile, {
    program,
    args: ['--headless', '--port', '0', ...args],
    env: { MUSTER_TEST_PACKAGED: folder, ...env },
  })
}

/** Resolves with what a main that ends by itself has printed. */
async function endOf(main: ElectronMain, code: number): Promise<string> {
  expect(await main.ended, main.log.join('\n')).toBe(code)
  await main.kill()
  expect(main.deeds).toEqual([])
  return main.log.join('\n')
}

/** Where it tells health and metrics. */
const addressOf = (main: ElectronMain): Promise<string> =>
  until(() => {
    const found = /runs without a window\. Health and metrics: (http:\S+)/u.exec(main.log.join('\n'))?.[1]
    if (found === undefined) throw new Error(main.log.join('\n'))
    return found
  }, 20_000)

test('the application reads the fleet without a window, and ends in order', { timeout: 60_000 }, async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 2, life: false })
  const { profile, list, credentials } = unitOf(leftovers, reference)
  const main = await start(profile, ['--no-sandbox', '--connections', list], { CREDENTIALS_DIRECTORY: credentials })
  const address = await addressOf(main)
  await until(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200), 30_000)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  const metrics = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  expect(await metrics.text()).toContain('muster_devices{')
  // No window, no tray, no word to another instance; and Chromium has not looked for a display.
  expect(main.deeds).toEqual([])
  expect(main.log.join('\n')).not.toContain(ended)
  expect(await endOf(await start(profile, []), 1)).toContain('Muster is already running on this profile.')
  await main.stop()
})

test('on macOS it has no icon in the dock, and the application becomes ready', async () => {
  const main = await start(temporaryProfile(leftovers), [], { MUSTER_TEST_PLATFORM: 'darwin' })
  await addressOf(main)
  await until(() => expect(main.log.join('\n')).toContain(ended))
  expect(main.deeds).toEqual([{ deed: 'dock-hidden' }])
  await main.stop()
})

test.each([
  ['a flag that there is not', ['--conections', 'list.csv'], /--conections/u],
  ['a file that there is not', ['--connections', '/nowhere/list.csv'], /\/nowhere\/list\.csv/u],
])('%s ends the start with a line, and no dialog', async (_what, args, line) => {
  const main = await start(temporaryProfile(leftovers), args)
  expect(await endOf(main, 1)).toMatch(line)
})

test('--help tells the flags, and how it is started', async () => {
  const main = await start(temporaryProfile(leftovers), ['--help'])
  expect(await endOf(main, 0)).toContain('Usage: muster --headless [flags]')
})
