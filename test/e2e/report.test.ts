import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectNoViolations } from '../support/accessibility.ts'
import { temporaryProfile, until } from '../support/fleet.ts'
import { focused } from '../support/page-parts.ts'
import { servedWithPast } from '../support/served-past.ts'
import { savedBy, shell, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let served: Served

/** Half a year of the past is in the journal. */
beforeAll(async () => {
  ;({ served } = await servedWithPast(windows.shared, 183))
}, 120_000)

/** Opens the report of all tenants. */
async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Report', exact: true }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Availability report' }).waitFor()
  await figureOf(page, 'Availability').waitFor()
  return page
}

const figureOf = (page: Page, name: string) =>
  page
    .locator('.report .then-numbers > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`, 'u') }) })
    .locator('dd')
    .first()
const choose = async (page: Page, word: string) => {
  await page.getByText(word, { exact: true }).click()
  await page.locator('.report[aria-busy="false"]').waitFor()
}
/** Columns of a CSV by their heads. */
const rowsOf = (text: string) => {
  const [head = '', ...lines] = text.trim().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => new Map(line.split(',').map((cell, index) => [names[index] ?? '', cell])))
}

test('the figures on the screen and in the page are those that a hand counts from the CSV', async () => {
  const page = await open()
  await choose(page, 'Last week')
  const csv = await savedBy(page, () => page.getByRole('button', { name: 'Save CSV' }).click())
  expect(csv.name).toMatch(/^muster-availability-.*\.csv$/u)
  // No name of this fleet has a comma.
  const rows = rowsOf(csv.text)
  expect(rows).toHaveLength(240)
  const sum = (name: string) => rows.reduce((all, row) => all + Number(row.get(name)), 0)
  const [online, offline, counted] = [sum('online_s'), sum('offline_s'), sum('counted_s')]
  const percent = (share: number) => `${(Math.floor(share * 10_000 + 1e-6) / 100).toFixed(2)}\u00A0%`
  expect(await figureOf(page, 'Availability').textContent()).toBe(percent(online / (online + offline)))
  expect(await figureOf(page, 'Observed').textContent()).toBe(percent((online + offline) / counted))
  expect(await figureOf(page, 'Outages').textContent()).toBe(String(sum('outages')))
  expect(await figureOf(page, 'Offline').textContent()).toBe(
    `${(offline / 3600).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} h`,
  )
  const html = await savedBy(page, () => page.getByRole('button', { name: 'Save HTML' }).click())
  expect(html.name).toMatch(/^muster-availability-.*\.html$/u)
  expect(html.text).toContain(`<dd>${percent(online / (online + offline))}</dd>`)
  expect(html.text).not.toMatch(/<script|https?:\/\/|url\(/u)
})

test('the page stands alone, prints well and has the operator’s words and country', async () => {
  const page = await open()
  await page.getByText('Words, logo, country and notes').click()
  await page.getByLabel('Numbers and dates of').selectOption('de-DE')
  await page.getByLabel('Words at the beginning').fill('For <b>Contoso</b> & Co.\n\nNovember')
  await page.keyboard.press('Tab')
  await until(async () => {
    const { settings } = await served.muster.call('app.state', {})
    expect(settings.reportWords).toContain('Contoso')
  })
  await choose(page, 'Last month')
  const { text } = await savedBy(page, () => page.getByRole('button', { name: 'Save HTML' }).click())
  expect(text).toContain('<p>For &lt;b&gt;Contoso&lt;/b&gt; &amp; Co.</p><p>November</p>')
  expect(await figureOf(page, 'Availability').textContent()).toMatch(/^\d{2,3},\d\d\s%$/u)
  expect(text).toMatch(/<p>\d\d\.\d\d\.\d{4}, 00:00 to /u)
  await served.muster.call('settings.change', { reportLocale: '', reportWords: '' })
  if (shell !== 'web') {
    const pdf = await savedBy(page, () => page.getByRole('button', { name: 'Save PDF' }).click())
    expect(pdf.name).toMatch(/^muster-availability-.*\.pdf$/u)
    expect(pdf.text.startsWith('%PDF-')).toBe(true)
    return
  }
  const alone = await page.context().newPage()
  const problems: string[] = []
  alone.on('console', (message) => problems.push(message.text()))
  await alone.setContent(text)
  await alone.getByRole('heading', { level: 1, name: 'Availability of all tenants' }).waitFor()
  expect(await alone.getByRole('img', { name: 'Availability by day' }).locator('g').count()).toBeGreaterThan(27)
  expect(problems).toEqual([])
  await alone.emulateMedia({ media: 'print' })
  expect((await alone.pdf({ preferCSSPageSize: true })).byteLength).toBeGreaterThan(10_000)
  await alone.close()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false)
  expect(await page.getByRole('button', { name: 'Save CSV' }).isVisible()).toBe(false)
  expect(await page.getByText('Availability of all tenants').isVisible()).toBe(true)
})

test('dates and service hours change what counts, and a time that is none is said', async () => {
  const page = await open()
  await choose(page, '30 d')
  const whole = await figureOf(page, 'Observed').textContent()
  expect(whole).toBe('100.00\u00A0%')
  await page.getByRole('checkbox', { name: 'Service hours only' }).focus()
  await page.keyboard.press('Space')
  await page.getByText(/Only service hours count: Mon, Tue, Wed, Thu, Fri, 08:00 to 18:00/u).waitFor()
  await page.getByText('Dates', { exact: true }).click()
  await page.getByRole('alert').getByText('Enter the first and the last day.').waitFor()
  await page.getByLabel('First day').fill('2026-11-10')
  await page.getByLabel('Last day').fill('2026-11-09')
  await page.getByRole('alert').getByText('The last day is before the first.').waitFor()
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('First day').fill(day(20))
  await page.getByLabel('Last day').fill(day(10))
  await page.locator('.report[aria-busy="false"]').waitFor()
  await expect
    .poll(() => page.getByRole('list', { name: 'Availability by day' }).getByRole('listitem').count())
    .toBe(11)
})

test('a place has its own report, and Escape leads back to its page', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()
  const tenant = page.getByRole('region', { name: 'Tenants' }).getByRole('button').first()
  await tenant.click()
  const name = await page.locator('.place-head h1').textContent()
  await page.getByRole('button', { name: 'Report', exact: true }).click()
  await figureOf(page, 'Availability').waitFor()
  expect(await page.locator('.report-page .screen-sum').textContent()).toContain(name ?? '?')
  await page.getByRole('region', { name: 'Sites', exact: true }).first().waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('.place-head h1').textContent()).toBe(name)
  await expect.poll(() => focused(page)).not.toBe('')
})

test('a report is scheduled into a folder, written at once, and a wrong folder is said', async () => {
  const folder = temporaryProfile(windows.shared)
  const page = await open()
  await page.getByText('Written by schedule (0)').click()
  const add = async (into: string) => {
    await page.getByRole('textbox', { name: 'Folder' }).fill(into)
    await page.keyboard.press('Enter')
  }
  // Only the desktop application has a path of a folder that was chosen.
  const chooses = page.getByRole('button', { name: 'Choose…' })
  expect(await chooses.count()).toBe(shell === 'electron' ? 1 : 0)
  if (shell === 'electron') {
    await chooses.press('Enter')
    await expect.poll(() => page.getByRole('textbox', { name: 'Folder' }).inputValue()).toMatch(/electron$/u)
  }
  await add(path.join(folder, 'nowhere'))
  await page
    .getByRole('alert')
    .getByText(/^Not written: .*ENOENT$/u)
    .waitFor()
  await page.getByRole('button', { name: 'Remove All tenants, every month' }).click()
  await page.getByText('Written by schedule (0)').waitFor()
  await add(folder)
  await page.getByText(/^Written: \d{4}-\d{2}\.$/u).waitFor()
  const files = readdirSync(folder).filter((name) => name.startsWith('muster-availability-All-tenants-'))
  expect(files.map((name) => path.extname(name)).toSorted()).toEqual(['.csv', '.html'])
  expect(readFileSync(path.join(folder, files[0] ?? ''), 'utf8').split('\r\n')).toHaveLength(242)
  await page.getByRole('button', { name: 'Remove All tenants, every month' }).click()
  await page.getByText('Written by schedule (0)').waitFor()
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('a report is accessible and fits: $viewport.width, $colorScheme', async (options) => {
  const page = await open(options)
  await choose(page, '30 d')
  await page.getByText('Words, logo, country and notes').click()
  await page.getByText(/^Written by schedule/u).click()
  await expectNoViolations(page, `report ${options.colorScheme}`, '.report-page')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
})
