import './query-costs.test.ts'
import { expect, test } from 'vitest'
import type { Page } from 'playwright'
import { serveFleet, useWindows } from '../support/window.ts'
const windows = useWindows()
const doc = `query Q($tenantId: ID!) {
  tenant(id: $tenantId) {
    name
    inventory {
      deviceSearch(params: {pageSize: 1500}) {
        edges {
          node {
            id
            name
            connected
            serialNumber
            site { id name }
            user {
              name
              email
            }
            room { id name floor }
          }
        }
        pageInfo { totalCount }
      }
    }
  }
}`
test('shots', async () => {
  const { served } = await serveFleet(windows.leftovers, { devices: 60, tenants: 2 })
  for (const [name, options] of [
    ['dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
    ['light', { viewport: { width: 1024, height: 700 }, colorScheme: 'light' }],
  ] as const) {
    const page: Page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
    const ed = page.getByRole('textbox', { name: 'GraphQL document' })
    await ed.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(doc.replace(/\n\s*/g, ' '))
    await page.getByRole('button', { name: 'Format' }).click()
    await page.waitForTimeout(1500)
    await page.screenshot({ path: `/tmp/shots-costs/${name}-1.png` })
    await page.getByText('Most expensive fields').click()
    await page.getByRole('checkbox').first().check()
    await page.waitForTimeout(800)
    await page.screenshot({ path: `/tmp/shots-costs/${name}-2.png` })
  }
  expect(1).toBe(1)
})
