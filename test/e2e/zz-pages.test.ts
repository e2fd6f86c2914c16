import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright'
import { beforeAll, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'
const windows = useWindows()
let reference: Service
let served: Served
beforeAll(async () => {
  mkdirSync('/tmp/shots-pages', { recursive: true })
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 430, tenants: 6 }))
})
const document =
  'query All($tenantId: ID!) { tenant(id: $tenantId) { inventory { deviceSearch(params: { nextToken: null, pageSize: 20 }) { edges { node { id name hardwareModel connected site { name } } } } } } }'
async function write(page: Page, name: string, text: string) {
  await page.getByRole('textbox', { name }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}
test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 1024, height: 700 }, colorScheme: 'light' as const },
])('shots $colorScheme', async (options) => {
  const shot = (name: string) => page.screenshot({ path: `/tmp/shots-pages/${name}-${options.colorScheme}.png` })
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await write(page, 'GraphQL document', document)
  await page.getByRole('button', { name: 'Format' }).click()
  await write(page, 'Variables as JSON', `{"tenantId": "${reference.world.tenants()[0]?.id}"}`)
  await page.getByRole('button', { name: 'More ways to run' }).click()
  await shot('1-menu')
  await page.getByRole('menuitem', { name: 'All pages…' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^About [\d,]+, /u)
    .first()
    .waitFor()
  await shot('2-pages-dialog')
  const over = reference.misfortune.always('stall', { operationName: 'All', skip: 3 })
  await page.getByRole('dialog').getByRole('button', { name: 'Run all pages' }).click()
  await page.getByText(/^60 of \d+ rows$/u).waitFor()
  await shot('3-progress')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  await page.waitForTimeout(500)
  await shot('4-cancelled')
  over()
  const fail = reference.misfortune.always('html', {
    operationName: 'All',
    match: ({ variables }) => variables['tenantId'] === reference.world.tenants()[1]?.id,
  })
  await page.getByRole('button', { name: 'More ways to run' }).click()
  await page.getByRole('menuitem', { name: 'In all tenants…' }).click()
  await page.getByRole('checkbox', { name: 'All pages of each tenant' }).check()
  await page
    .getByRole('dialog')
    .getByText(/^About [\d,]+, /u)
    .first()
    .waitFor()
  await shot('5-tenants-dialog')
  await page.getByRole('dialog').getByRole('button', { name: 'Run in all tenants' }).click()
  await page.getByRole('button', { name: 'Retry failed' }).waitFor()
  await page.getByText('1 failed tenant').click()
  await page.waitForTimeout(500)
  await shot('6-tenants-outcome')
  fail()
})
