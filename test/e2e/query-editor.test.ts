import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { focused, shows } from '../support/page-parts.ts'
import { temporaryProfile } from '../support/fleet.ts'
import { startHostile } from '../support/hostile-service.ts'
import { serve, serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

/** Opens the query screen, with the schema read. */
async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await editorOf(page).waitFor()
  await expect.poll(() => page.getByText('Reading the schema…').count()).toBe(0)
  return page
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'GraphQL document' })
const variablesOf = (page: Page) => page.getByRole('textbox', { name: 'Variables as JSON' })
const documentationOf = (page: Page) => page.getByRole('region', { name: 'Documentation' })
const completionOf = (page: Page, name: RegExp) =>
  page.getByRole('listbox', { name: 'Completions' }).getByRole('option', { name }).first()

async function write(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

test('the schema says what a name is, by the pointer and by a key', async () => {
  const page = await open()
  await write(page, 'GraphQL document', '{ tenants { id name } }')
  // A wider margin of points moves the text.
  await page.locator('.field-cost').first().waitFor()
  await editorOf(page).getByText('tenants').hover()
  const hint = page.locator('.query-hint')
  await shows(hint, /^Query\.tenants: \[Tenant!\] Field of Query/u)
  await page.mouse.move(0, 0)
  await expect.poll(() => hint.count()).toBe(0)
  for (let at = 0; at < 6; at += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Control+i')
  await shows(hint, /^Tenant\.name: String/u)
  await page.keyboard.press('Escape')
  await expect.poll(() => hint.count()).toBe(0)
})

test('the documentation opens at the name under the cursor, and is gone through by the keys', async () => {
  const page = await open()
  await write(page, 'GraphQL document', '{ tenants { id name } }')
  for (let at = 0; at < 6; at += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('F1')
  const docs = documentationOf(page)
  await docs.getByRole('heading', { name: 'Tenant', exact: true }).waitFor()
  await shows(docs.locator('[aria-current]'), /^name: String/u)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Tenant')
  await docs.getByRole('button', { name: 'Region', exact: true }).press('Enter')
  await docs.getByRole('heading', { name: 'Region', exact: true }).waitFor()
  await docs.getByRole('button', { name: 'Back' }).press('Enter')
  await docs.getByRole('heading', { name: 'Tenant', exact: true }).waitFor()
  await docs.getByRole('searchbox', { name: 'Find types and fields' }).fill('devicesearch')
  await docs.getByRole('button', { name: 'Query.deviceSearch' }).press('Enter')
  await docs.getByRole('heading', { name: 'Query', exact: true }).waitFor()
  await shows(docs.locator('[aria-current]'), /^deviceSearch: /u)
  await page.keyboard.press('Escape')
  await expect.poll(() => docs.count()).toBe(0)
  expect(await focused(page)).toBe('GraphQL document')
})

test('a name pressed with Ctrl opens its documentation, and fields are filled in', async () => {
  const page = await open()
  await write(page, 'GraphQL document', '{ tenants }')
  await editorOf(page)
    .getByText('tenants')
    .click({ modifiers: ['Control'] })
  await documentationOf(page).getByRole('heading', { name: 'Query', exact: true }).waitFor()
  for (let at = 0; at < 2; at += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Alt+Enter')
  await shows(editorOf(page), /\{ tenants \{\s*id\s*name/u)
  await page.keyboard.press('Control+Enter')
  await page
    .getByRole('tree', { name: 'Answer as JSON' })
    .getByRole('treeitem')
    .filter({ hasText: reference.world.tenants()[0]?.name ?? '' })
    .first()
    .waitFor()
})

test('variables are completed by their types, tenants by name, and wrong ones are marked', async () => {
  const page = await open()
  const [first] = reference.world.tenants()
  await write(
    page,
    'GraphQL document',
    'query One($tenantId: ID!, $more: Boolean!) { tenant(id: $tenantId) { id name @include(if: $more) } }',
  )
  await write(page, 'Variables as JSON', '{')
  await expect.poll(() => page.locator('.cm-lintRange, .cm-lintPoint').count()).toBeGreaterThan(0)
  await page.keyboard.press('Control+Space')
  await completionOf(page, /^tenantId/u).click()
  await page.keyboard.press('Control+Space')
  await completionOf(page, new RegExp(`^${first?.name ?? ''}`, 'u')).click()
  await page.keyboard.type(', ')
  await page.keyboard.press('Control+Space')
  await completionOf(page, /^more/u).click()
  await page.keyboard.press('Control+Space')
  await completionOf(page, /^true/u).click()
  await shows(variablesOf(page), new RegExp(`\\{"tenantId": "${first?.id ?? ''}", "more": true\\}`, 'u'))
  await expect.poll(() => page.locator('.cm-lintRange').count()).toBe(0)
  await page.keyboard.press('Control+Enter')
  await page.getByText('HTTP 200').waitFor()
  await write(page, 'Variables as JSON', '{"tenantId": "x", "nope": 1, "more": "yes"}')
  await expect.poll(() => page.locator('.cm-lintRange').count()).toBe(2)
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('documentation and hints are accessible: $viewport.width, $colorScheme', async (options) => {
  const page = await open(options)
  await write(page, 'GraphQL document', '{ tenants { id name } }')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F1')
  await documentationOf(page).getByRole('heading', { name: 'Query', exact: true }).waitFor()
  await editorOf(page).focus()
  await page.keyboard.press('Control+i')
  await page.locator('.query-hint').waitFor()
  await expectNoViolations(page, `query documentation ${options.colorScheme}`)
})

test('of five million lines any is reached: by keys, by the scroll bar, by its text', async () => {
  let isLong = false
  const long = `{"data":[${'1,'.repeat(4_999_980)}"needle",${'1,'.repeat(9)}2]}`
  const { input } = await startHostile(windows.leftovers, { page: () => (isLong ? long : '{"data":{"tenant":null}}') })
  const own = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await own.muster.call('connections.save', input)
  const page = await windows.open(own.server.newUrl(), { log: own.muster.log })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await page.getByText(/^The service did not tell its schema/u).waitFor()
  isLong = true
  await write(page, 'GraphQL document', 'query Long { anything }')
  await page.keyboard.press('Control+Enter')
  const tree = page.getByRole('tree', { name: 'Answer as JSON' })
  const chosen = tree.getByRole('treeitem', { selected: true })
  await shows(chosen, /\{$/u)
  await tree.focus()
  await page.keyboard.press('End')
  await shows(chosen, /\}$/u)
  expect(await chosen.getAttribute('id')).toBe('answer-line-4999994')
  expect(await isSeen(page, '#answer-line-4999994')).toBe(true)
  await tree.evaluate((box) => box.scrollTo(0, (box.scrollHeight - box.clientHeight) / 2))
  await expect.poll(() => isSeen(page, '#answer-line-2499990')).toBe(true)
  await page.getByRole('searchbox', { name: 'Find in the answer' }).fill('needle')
  await page.keyboard.press('Enter')
  await shows(chosen, /"needle",$/u)
  await expect.poll(() => isSeen(page, '#answer-line-4999982')).toBe(true)
  await tree.hover()
  await page.mouse.wheel(0, -40)
  await expect.poll(() => isSeen(page, '#answer-line-4999982')).toBe(false)
  expect(await isSeen(page, '#answer-line-4999980')).toBe(true)
})

/** Whether a line is drawn within the box that scrolls. */
const isSeen = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => {
    const [line, box] = [document.querySelector(wanted), document.querySelector('#answer')]
    if (line === null || box === null) return false
    const [inner, outer] = [line.getBoundingClientRect(), box.getBoundingClientRect()]
    return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
  }, selector)
