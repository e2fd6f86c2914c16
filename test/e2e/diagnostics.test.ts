import { AxeBuilder } from '@axe-core/playwright'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { service, temporaryProfile } from '../support/fleet.ts'
import { browserTest, readFleet, savedBy, serve, shell, useWindows, type OpenOptions } from '../support/window.ts'
import { focused, tabTo, textOf } from '../support/page-parts.ts'

const windows = useWindows()

async function setup(options: OpenOptions = {}) {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(served.muster, reference)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  return { reference, served, page }
}

const toRoom = async (page: Page) => {
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Diagnostics' }).click()
  await page.getByText(/^as of/u).waitFor()
}

const fact = (page: Page, name: string) =>
  page
    .locator('#diagnostics dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`, 'u') }) })
    .getByRole('definition')

test('the screen shows versions, startup, threads and socket history live, and is copied as text', async () => {
  const { page, reference } = await setup()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await toRoom(page)
  for (const name of ['Core started', 'Cache and journal open', 'Core ready', 'First window request', 'Window drawn'])
    expect(await textOf(fact(page, name)), name).toMatch(/^after [\d.]+ m?s$/u)
  expect(await textOf(fact(page, 'Node'))).toBe(process.versions.node)
  expect(await textOf(fact(page, 'Shell'))).toBe(shell === 'web' ? 'browser' : 'desktop application')
  expect(await textOf(fact(page, new URL(reference.graphqlUrl).host))).toBe('no proxy')
  await expect.poll(() => textOf(fact(page, 'Inventory cache'))).toMatch(/^[\d.]+ [kM]B ?60 devices, 1 tenant$/u)
  expect(await page.locator('#diagnostics').innerText()).not.toMatch(
    /sequence|tenant_connection|lock-journal|\bmoves?\b/u,
  )
  const threads = page.getByRole('table', { name: /^Event loop delay/u })
  await expect
    .poll(async () =>
      (await threads.getByRole('row').allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s+/gu, ' ')),
    )
    .toEqual([
      expect.stringMatching(/^Core [\d.]+ ms [\d.]+ m?s [\d.]+ m?s [\d.]+ MB [\d.]+ MB$/u),
      expect.stringMatching(/^Data [\d.]+ ms [\d.]+ m?s [\d.]+ m?s [\d.]+ MB [\d.]+ MB$/u),
    ])
  const socket = page.locator('summary').filter({ hasText: 'Acme' })
  expect(await textOf(socket)).toMatch(/^Acme [\d:]+ live 2 changes$/u)
  reference.misfortune.dropSockets(1012)
  await expect.poll(() => textOf(socket)).toMatch(/5 changes$/u)
  await socket.click()
  expect(
    (await page.locator('details[open] li').allInnerTexts()).map((text) => text.replace(/^[\d:]+\s+/u, '')),
  ).toEqual([
    'live',
    expect.stringMatching(/^connecting, attempt 2/u),
    expect.stringMatching(/^waiting, attempt 2: /u),
    'live',
    'connecting',
  ])
  await page.getByRole('button', { name: 'Copy as text' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^Muster diagnostics, 20\d\d-/u)
  expect(copied).toContain('cache.db, device: 60\n')
})

test('a support bundle is previewed and saved by the keyboard, without an excluded file', async () => {
  const { page } = await setup()
  // Before the screens are there, nothing obeys a key.
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  await page.keyboard.press('Control+K')
  await page.keyboard.type('support bundle')
  await page.getByRole('option', { name: /^Make a support bundle/u }).waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Support bundle' })
  const text = dialog.getByRole('region', { name: /^Text of/u })
  await expect.poll(() => dialog.getByRole('status').textContent()).toMatch(/^9 files, /u)
  expect(await text.innerText()).toContain('Names of hosts, connections and tenants, and client ids, are as they are.')
  await tabTo(page, /^connections\.json/u)
  await page.keyboard.press('Enter')
  await expect.poll(() => text.innerText()).toContain('"name": "Acme"')
  await dialog.getByRole('switch', { name: 'Made-up names' }).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => text.innerText()).toMatch(/"name": "connection-[\da-f]{8}"/u)
  expect(await text.innerText()).not.toContain('Acme')
  await dialog.getByRole('checkbox', { name: 'Include settings.json' }).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => dialog.getByRole('status').textContent()).toMatch(/^8 files, /u)
  const shown = await text.textContent()
  const saved = await savedBy(page, () => dialog.getByRole('button', { name: 'Save zip' }).click())
  await dialog.getByText(/^Saved as .*muster-support-\d{8}-\d{4}.*\.zip\.$/u).waitFor()
  expect(saved.name).toMatch(/^muster-support-.*\.zip$/u)
  const inside = unzipSync(saved.bytes)
  expect(Object.keys(inside)).not.toContain('settings.json')
  expect(Object.keys(inside)).toHaveLength(8)
  expect(strFromU8(inside['connections.json'] ?? new Uint8Array())).toBe(shown)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Support bundle…')
})

browserTest('the core is queried every three seconds while the screen is shown, and not otherwise', async () => {
  let asked = 0
  const { page } = await setup({
    before: async (page) =>
      page.on('websocket', (socket) =>
        socket.on('framesent', ({ payload }) => {
          if (String(payload).includes('"diagnostics.show"')) asked += 1
        }),
      ),
  })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.clock.install()
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Diagnostics' }).click()
  await page.clock.runFor(100)
  await page.getByText(/^as of/u).waitFor()
  for (let turn = 0; turn < 3; turn += 1) {
    const before = asked
    await page.clock.runFor(3_000)
    await expect.poll(() => asked).toBe(before + 1)
  }
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Inventory' }).click()
  await page.clock.runFor(100)
  await page.getByText(/^as of/u).waitFor({ state: 'detached' })
  const before = asked
  await page.clock.runFor(60_000)
  expect(asked).toBe(before)
})

test('the settings lead to it, and without the core its last values stay, marked as old', async () => {
  const { page, served } = await setup({ expected: [/WebSocket|ERR_CONNECTION|net::/u] })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Diagnostics', exact: true }).last().click()
  await page.getByText(/^as of/u).waitFor()
  const as = () => page.getByText(/^as of/u).innerText()
  const before = await as()
  await expect.poll(as).not.toBe(before)
  if (shell !== 'web') return
  await served.stop()
  await page.getByText('Muster’s core is not running. These values are old.').waitFor()
  expect(await textOf(fact(page, 'Node'))).toBe(process.versions.node)
  expect(await page.getByRole('button', { name: 'Support bundle…' }).isDisabled()).toBe(true)
})

test.each([{ colorScheme: 'dark' }, { colorScheme: 'light' }] as const)(
  'screen and bundle are accessible, and nothing is cut off at 200 %, $colorScheme',
  async ({ colorScheme }) => {
    const { page } = await setup({ colorScheme, viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 })
    const look = async (what: string) => {
      const { violations, passes } = await new AxeBuilder({ page }).analyze()
      expect(passes.length).toBeGreaterThan(5)
      expect(
        violations.map(({ id, nodes }) => ({
          id,
          at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
        })),
        what,
      ).toEqual([])
      expect(
        await page.evaluate(
          () =>
            document.documentElement.scrollWidth <= innerWidth &&
            [...document.querySelectorAll('#diagnostics, [role=dialog]')].every(
              (part) => part.scrollWidth <= part.clientWidth,
            ),
        ),
        what,
      ).toBe(true)
    }
    await toRoom(page)
    await page.locator('summary').first().click()
    await look('the room')
    await page.getByRole('button', { name: 'Support bundle…' }).click()
    await page.getByRole('region', { name: /^Text of/u }).waitFor()
    await page.getByRole('checkbox', { name: 'Include about.txt' }).click()
    await look('the bundle')
  },
)
