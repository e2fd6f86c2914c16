import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { focused, shows } from '../support/page-parts.ts'
import { serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'GraphQL document' })
const costs = (page: Page) => page.locator('.query-costs')

/** Opens the query screen with a document, each line of which is a part of it. */
async function open(lines: readonly string[], options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await editorOf(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(lines.join(' '))
  await page.getByRole('button', { name: 'Format' }).click()
  return page
}

const devices = (pageSize: number, fields: string) => [
  '{ deviceSearch(params: {',
  `pageSize: ${pageSize}`,
  `}) { edges { node { ${fields} } } } }`,
]

test('an operation that would be rejected is cured by one press, which Ctrl Z undoes', async () => {
  const page = await open(devices(2000, 'id name serialNumber user { name email } site { id name }'))
  await shows(costs(page), /It would be rejected: [\d,]+ of 10,000 points\./u)
  const cures = page.getByRole('list', { name: 'What makes it cheaper' })
  await shows(
    cures,
    /Pages of [\d,]+ \(\d+ requests\) ?Run them all… ?About [\d,]+ points in all\. The first one goes now\./u,
  )
  await cures.getByRole('button', { name: /^Pages of/u }).click()
  await costs(page).getByText('It goes now.').waitFor()
  expect(await focused(page)).toBe('GraphQL document')
  await page.keyboard.press('Control+z')
  await shows(editorOf(page), /pageSize: 2000/u)
  await cures.getByRole('button', { name: 'Run them all…' }).click()
  await page
    .getByRole('dialog', { name: 'Run all pages' })
    .getByText(/requests?|pages of/u)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await shows(editorOf(page), /pageSize: (?!2000)\d+/u)
})

test('each line shows its points, and the chosen fields are removed after their price was told', async () => {
  const page = await open(devices(50, 'id name user { name email }'))
  await costs(page).getByText('It goes now.').waitFor()
  await expect.poll(() => page.locator('.field-cost').count()).toBeGreaterThan(2)
  expect(await page.locator('.cm-gutters').first().getAttribute('aria-hidden')).toBe('true')
  await page.getByText('Most expensive fields').click()
  const box = page.getByRole('checkbox', { name: /user.*line \d+, about [\d,]+ points, \d+ %/u })
  await box.focus()
  await page.keyboard.press('Space')
  const removal = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Remove 1 field' }) })
  await shows(removal, /points?, .*It goes now\./u)
  await removal.getByRole('button').press('Enter')
  await expect.poll(() => editorOf(page).innerText()).not.toContain('email')
  await shows(editorOf(page), /name/u)
  await page.keyboard.press('Control+z')
  await shows(editorOf(page), /email/u)
})

test('the estimate learns from what an answer cost', async () => {
  const page = await open(devices(40, 'id macAddress internalIp'))
  await shows(costs(page), /derived from other operations|a guess/u)
  await editorOf(page).press('Control+Enter')
  const status = page.getByRole('region', { name: 'Answer' }).locator('.query-status')
  await shows(status, /HTTP 200.* points?, expected [\d,]+/u)
  await shows(costs(page), /learned from earlier answers/u)
  const charged = reference.operations().findLast(({ query }) => query.includes('internalIp'))?.cost ?? 0
  await shows(costs(page), new RegExp(`About ${charged.toLocaleString('en-US')},`, 'u'))
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('costs and cures are accessible: $viewport.width, $colorScheme', async (options) => {
  const page = await open(devices(2000, 'id name serialNumber user { name email }'), options)
  await page.getByRole('list', { name: 'What makes it cheaper' }).waitFor()
  await page.getByText('Most expensive fields').click()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Remove 1 field' }).waitFor()
  await expectNoViolations(page, `query costs ${options.colorScheme}`)
})
