import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { focused, shows } from '../support/page-parts.ts'
import { savedBy, serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 130, tenants: 3 }))
})

const document =
  'query All($tenantId: ID!) { tenant(id: $tenantId) { inventory { deviceSearch(params: { nextToken: null }) { edges { node { id name } } } } } }'

/** Opens the query screen with an operation of the largest tenant. */
async function open(options: OpenOptions = {}, text = document): Promise<{ page: Page; devices: number }> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await write(page, 'GraphQL document', text)
  const counts = reference.world
    .tenants()
    .map(({ id }) => ({ id, devices: reference.world.devices(id).length }))
    .toSorted((one, other) => other.devices - one.devices)
  await write(page, 'Variables as JSON', `{"tenantId": "${counts[0]?.id}"}`)
  return { page, devices: counts[0]?.devices ?? 0 }
}

async function write(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

const statusOf = (page: Page) => page.getByRole('region', { name: 'Answer' }).locator('.query-status')

/** Calls up a dialog by the keyboard alone. */
async function choose(page: Page, item: 'All pages…' | 'In all tenants…'): Promise<void> {
  await page.getByRole('button', { name: 'More ways to run' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: item }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
}

test('all pages are read by the keyboard alone: the cost first, then one list of all rows', async () => {
  const { page, devices } = await open()
  await choose(page, 'All pages…')
  const dialog = page.getByRole('dialog', { name: 'Run all pages' })
  await dialog.getByText(new RegExp(`^About ${devices}, as the inventory has$`, 'u')).waitFor()
  await dialog.getByText(`${Math.ceil(devices / 10)}`, { exact: true }).waitFor()
  await dialog.getByText(/^About [\d,]+, [\d,]+ each, /u).waitFor()
  await dialog.getByRole('button', { name: 'Run all pages' }).focus()
  await page.keyboard.press('Enter')
  await shows(statusOf(page), new RegExp(`^${devices} rows ${Math.ceil(devices / 10)} pages`, 'u'))
  const { text } = await savedBy(page, () => page.getByRole('button', { name: 'Save', exact: true }).click())
  expect((JSON.parse(text) as unknown[]).length).toBe(devices)
})

test('a run shows how far it is, is cancelled, and continues to its end', async () => {
  const over = reference.misfortune.always('stall', { operationName: 'All', skip: 2 })
  const { page, devices } = await open()
  await choose(page, 'All pages…')
  await page.getByRole('dialog').getByRole('button', { name: 'Run all pages' }).click()
  await page.getByText(new RegExp(`^20 of ${devices} rows$`, 'u')).waitFor()
  const bar = page.getByRole('progressbar', { name: 'Progress' })
  expect(await bar.getAttribute('aria-valuetext')).toMatch(
    new RegExp(`^20 of ${devices} rows, 2 pages, \\d+ points$`, 'u'),
  )
  await page.getByRole('button', { name: 'Cancel' }).click()
  await shows(statusOf(page), /^20 rows.*Cancelled after 20 rows\.$/u)
  over()
  await page.getByRole('button', { name: 'Continue' }).click()
  await shows(statusOf(page), new RegExp(`^${devices} rows`, 'u'))
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
})

test('in all tenants: one that fails is a row, and is retried alone', async () => {
  const [first] = reference.world.tenants()
  const isFirst = ({ variables }: { variables: Record<string, unknown> }) => variables['tenantId'] === first?.id
  const over = reference.misfortune.always('html', { operationName: 'All', match: isFirst })
  const { page } = await open()
  await choose(page, 'In all tenants…')
  const dialog = page.getByRole('dialog', { name: 'Run in all tenants' })
  await dialog.getByRole('checkbox', { name: 'All pages of each tenant' }).check()
  await dialog.getByText('About 130, as the inventory has').waitFor()
  await dialog.getByRole('button', { name: 'Run in all tenants' }).click()
  await shows(statusOf(page), /3 tenants.*1 of 3 tenants failed\./u)
  await page.getByText('1 failed tenant').click()
  await page
    .getByRole('listitem')
    .filter({ hasText: first?.name ?? '' })
    .waitFor()
  over()
  await page.getByRole('button', { name: 'Retry failed' }).click()
  await shows(statusOf(page), /^130 rows 3 tenants/u)
})

test('an operation without a paged field says so, and cannot be run to its end', async () => {
  const { page } = await open({}, '{ tenants { id } }')
  await choose(page, 'All pages…')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It has no paged field: none with edges.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Run all pages' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('More ways to run')
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('dialogs, progress and outcome are accessible: $viewport.width, $colorScheme', async (options) => {
  const { page } = await open(options)
  await choose(page, 'In all tenants…')
  await page
    .getByRole('dialog')
    .getByText(/^About [\d,]+, /u)
    .first()
    .waitFor()
  await expectNoViolations(page, `batch dialog ${options.colorScheme}`)
  const over = reference.misfortune.always('stall', { operationName: 'All', skip: 1 })
  await page.getByRole('dialog').getByRole('button', { name: 'Run in all tenants' }).click()
  await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
  await expectNoViolations(page, `batch progress ${options.colorScheme}`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  await expectNoViolations(page, `batch outcome ${options.colorScheme}`)
  over()
})
