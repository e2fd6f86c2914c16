import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startService } from '../../src-service/service.ts'
import { chromiumPath, flags } from '../support/window.ts'

const HOUR = 3_600_000
let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath(), args: flags() })
})
afterAll(() => browser.close())

/** A service with two tenants and a set for each, and a page of a browser that has not been there before. */
async function ready({ colorScheme = 'light' }: { colorScheme?: 'light' | 'dark' } = {}) {
  let time = Date.now()
  const service = await startService({
    devices: 60,
    tenants: 2,
    credentials: 'per-tenant',
    users: [{ name: 'ann', password: 'correct horse', admin: true }],
    now: () => time,
  })
  onTestFinished(() => service.stop())
  const context = await browser.newContext({
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
    ignoreHTTPSErrors: true,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  const elsewhere: string[] = []
  page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && problems.push(message.text())))
  page.on('pageerror', (error) => void problems.push(error.message))
  page.on(
    'request',
    (request) =>
      void (
        /^(data|blob):/.test(request.url()) ||
        request.url().startsWith(service.graphqlUrl) ||
        elsewhere.push(request.url())
      ),
  )
  await page.goto(service.graphqlUrl)
  return { service, page, problems, elsewhere, turn: (ms: number) => void (time += ms) }
}

async function logIn(page: Page, password = 'correct horse'): Promise<void> {
  await page.getByLabel('Name').fill('ann')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** The answer in GraphiQL, without the signs that its editor puts between words. */
async function answerOf(page: Page): Promise<string> {
  const text = await page.locator('.result-window').textContent()
  return (text ?? '').replaceAll(/\s/g, ' ')
}

/** The editor has its text a moment after the button; what was asked before stands there again. */
async function runQuery(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.graphiql-query-editor').textContent()).toMatch(/deviceSearch|deviceStream/)
  await page.getByRole('button', { name: 'Execute query' }).click()
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    .exclude('#root')
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

test('a user logs in, queries, chooses a credential set and sees less', async () => {
  const { service, page, problems, elsewhere } = await ready()
  await logIn(page)
  await runQuery(page)
  await expect.poll(() => answerOf(page)).toContain(`"totalCount": ${service.world.devices().length},`)
  const [set] = service.credentials.list()
  const fewer = service.world.devices().filter(({ tenantId }) => set?.reach?.tenants?.includes(tenantId)).length
  expect(fewer).toBeLessThan(service.world.devices().length)
  await page.getByLabel('Access').selectOption(set?.clientId ?? '')
  await page.waitForURL(`**/graphql?credentials=${set?.clientId}`)
  await runQuery(page)
  await expect.poll(() => answerOf(page)).toContain(`"totalCount": ${fewer},`)
  expect(await page.locator('.graphiql-tab').count()).toBe(1)
  await page.getByLabel('Access').selectOption('All your tenants')
  await page.waitForURL((url) => url.search === '')
  await runQuery(page)
  await expect.poll(() => answerOf(page)).toContain(`"totalCount": ${service.world.devices().length},`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Playground' }).waitFor()
  expect(await page.getByLabel('Password').isVisible()).toBe(true)
  expect([problems, elsewhere]).toEqual([[], []])
})

test('the built service has its pages with it', async () => {
  const child = spawn(
    process.execPath,
    ['out/service/main.js', '--playground-user', 'ann', '--no-life', '--devices', '0', '--with-parent'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void child.kill())
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  const { graphql_url: url } = JSON.parse(output.toString()) as { graphql_url: string }
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  for (const part of ['playground.css', 'playground.js', 'graphiql.js'])
    expect((await page.request.get(`${url}/playground/${part}`)).status()).toBe(200)
})

test('a query that replaces the first one runs by the keyboard', async () => {
  const { page, problems } = await ready()
  await logIn(page)
  const editor = page.locator('.graphiql-query-editor')
  await expect.poll(() => editor.textContent()).toContain('deviceSearch')
  await editor.locator('.view-lines').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('query Mine { tenants { name } }')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(() => answerOf(page)).toMatch(/"tenants"|Cannot|rror/)
  expect(await answerOf(page)).toContain('"tenants"')
  expect(problems).toEqual([])
})

test('after one hour a query asks to log in, and a refresh shows the login', async () => {
  const { page, turn } = await ready()
  await logIn(page)
  await page.getByRole('button', { name: 'Execute query' }).waitFor()
  turn(HOUR)
  await runQuery(page)
  await expect.poll(() => answerOf(page)).toContain('You must be logged in')
  await page.reload()
  await page.getByText('Your session is over. Log in again.').waitFor()
  await expect.poll(() => page.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  await logIn(page)
  await page.getByRole('button', { name: 'Log out' }).waitFor()
})

test("a subscription of the page shows a device's event", async () => {
  const { service, page, problems } = await ready()
  await logIn(page)
  await page.getByRole('button', { name: 'Execute query' }).waitFor()
  const device = service.world.find(({ connected }) => connected === true)
  await page.goto(
    `${service.graphqlUrl}?query=${encodeURIComponent(`subscription { deviceStream(deviceIds: ["${device.id}"]) { name connected } }`)}`,
  )
  await runQuery(page)
  await expect.poll(() => service.subscribedIds()).toEqual([device.id])
  service.world.setConnected(device.id, false)
  await expect.poll(() => answerOf(page)).toContain('"connected": false')
  expect(problems).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'login and bar meet WCAG 2.1 AA, also with an error (%s)',
  async (colorScheme) => {
    const { page, elsewhere } = await ready({ colorScheme })
    await expectAccessible(page)
    await logIn(page, 'wrong password')
    expect(await page.getByRole('alert').textContent()).toBe('The name or the password is wrong.')
    await expect
      .poll(() => page.getByLabel('Password').evaluate((field) => field === document.activeElement))
      .toBe(true)
    await expectAccessible(page)
    await logIn(page)
    await page.getByRole('button', { name: 'Execute query' }).waitFor()
    await expectAccessible(page)
    expect(elsewhere).toEqual([])
  },
)
