import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { auditDocuments, documentedOperations } from '../support/operation-documents.ts'
import { shows } from '../support/page-parts.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 20, tenants: 2 }))
})

async function open(): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), {
    log: served.muster.log,
    viewport: { width: 1440, height: 900 },
  })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await page.getByRole('textbox', { name: 'GraphQL document' }).waitFor()
  return page
}

/** Runs a document in a tab of its own, typed by the keyboard. Resolves when it was answered. */
async function run(page: Page, document: string, variables: Record<string, unknown>): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'GraphQL document' })
  await page.getByRole('button', { name: /^New tab/u }).click()
  await shows(editor, /^$/u)
  if (Object.keys(variables).length > 0) {
    await page.getByRole('textbox', { name: 'Variables as JSON' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(JSON.stringify(variables))
  }
  await editor.click()
  // An editor indents new lines itself.
  await page.keyboard.type(document.replaceAll(/\s+/gu, ' '))
  await page.keyboard.press('Control+Enter')
  await shows(page.getByRole('region', { name: 'Answer' }).locator('.query-status'), /HTTP \d+/u)
}

/** Number of errors that stand beside the answer. */
async function errorsIn(page: Page): Promise<number> {
  const part = page.getByRole('radiogroup', { name: 'Part of the answer' }).getByText(/^Errors \d+$/u)
  return Number(/\d+/u.exec(await part.innerText())?.[0])
}

test('the documents of the audits of GraphQL over HTTP are run, and their errors are told', async () => {
  const page = await open()
  for (const { query, variables } of await auditDocuments()) {
    await run(page, query, variables)
    if ((await errorsIn(page)) > 0) continue
    await page.getByRole('radio', { name: 'JSON' }).check({ force: true })
    const lines = page.getByRole('tree', { name: 'Answer as JSON' }).getByRole('treeitem')
    await expect.poll(() => lines.filter({ hasText: '"data": {' }).count()).toBe(1)
  }
})

test('the operations of the service’s documentation are run without an error', async () => {
  const page = await open()
  for (const [document, variables] of documentedOperations(reference.world)) {
    await run(page, document, variables)
    expect([document, await errorsIn(page)]).toEqual([document, 0])
  }
})
