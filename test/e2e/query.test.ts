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
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

/** Opens the query screen by its entry in the rail. */
async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await editorOf(page).waitFor()
  return page
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'GraphQL document' })
const linesOf = (page: Page) => page.getByRole('tree', { name: 'Answer as JSON' }).getByRole('treeitem')
/** One line of the answer has this text. */
const hasLine = (page: Page, text: string) => expect.poll(() => linesOf(page).filter({ hasText: text }).count()).toBe(1)
const statusOf = (page: Page) => page.getByRole('region', { name: 'Answer' }).locator('.query-status')

async function write(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

test('a query is completed from the schema, costs points before it is run, and is answered', async () => {
  const page = await open()
  await expect.poll(() => page.getByText('Reading the schema…').count()).toBe(0)
  await write(page, 'GraphQL document', 'query Mine { tenants { id na')
  await page.keyboard.press('Control+Space')
  await page.getByRole('listbox', { name: 'Completions' }).getByRole('option', { name: /^name/u }).first().click()
  await shows(editorOf(page), /query Mine \{ tenants \{ id name ?\} ?\}/u)
  await page.getByText(/points?,.* (?:learned|derived|a guess)/u).waitFor()
  await page.getByText('It goes now.').waitFor()
  await page.keyboard.press('Control+Enter')
  await shows(statusOf(page), /HTTP 200.* points?, expected \d+/u)
  await shows(linesOf(page).nth(2), /"tenants": \[/u)
  const [first] = reference.world.tenants()
  await hasLine(page, first?.name ?? '')
})

test('lines are folded and unfolded by the keys, and a text is found in what is folded', async () => {
  const page = await open()
  await write(page, 'GraphQL document', '{ tenants { id name } }')
  await page.keyboard.press('Control+Enter')
  const tree = page.getByRole('tree', { name: 'Answer as JSON' })
  await tree.focus()
  await shows(linesOf(page).nth(2), /"tenants": \[/u)
  const all = await linesOf(page).count()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowLeft')
  await shows(linesOf(page).nth(2), /"tenants": \[ … \d+ lines$/u)
  expect(await linesOf(page).nth(2).getAttribute('aria-expanded')).toBe('false')
  expect(await linesOf(page).count()).toBeLessThan(all)
  const name = reference.world.tenants().at(-1)?.name ?? ''
  await page.getByRole('searchbox', { name: 'Find in the answer' }).fill(name)
  await page.keyboard.press('Enter')
  await shows(tree.getByRole('treeitem', { selected: true }), new RegExp(`"name": "${name}"`, 'u'))
  await expect.poll(() => linesOf(page).count()).toBe(all)
})

test('an answer is saved as the service sent it, and the query is copied for curl', async () => {
  const page = await open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await write(page, 'GraphQL document', '{ tenants { id name } }')
  await page.keyboard.press('Control+Enter')
  await linesOf(page).first().waitFor()
  const { name, text } = await savedBy(page, () => page.getByRole('button', { name: 'Save', exact: true }).click())
  expect(name).toMatch(/^muster-query-\d{4}-\d{2}-\d{2}-\d{4}\.json$/u)
  expect((JSON.parse(text) as { data: { tenants: unknown[] } }).data.tenants).toHaveLength(2)
  await page.getByText(/^Saved as .*query-.*\.json/u).waitFor()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain(`curl '${reference.graphqlUrl}'`)
  expect(copied).toContain('Bearer $TOKEN')
})

test('errors stand beside the answer, each with its path, and a mutation is not sent', async () => {
  const page = await open()
  await write(page, 'GraphQL document', '{ nothingOfThisName }')
  await expect.poll(() => page.locator('.cm-lintRange').count()).toBeGreaterThan(0)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('nothingOfThisName').first().waitFor()
  await page.getByRole('radio', { name: 'Errors 1' }).check({ force: true })
  await page.getByRole('listitem').filter({ hasText: 'nothingOfThisName' }).first().waitFor()
  const before = reference.operations().length
  await write(page, 'GraphQL document', 'mutation { rebootDevice(id: "x") { success } }')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alertdialog').getByText('It is sent once and cannot be undone here.').waitFor()
  await page.keyboard.press('Escape')
  expect(
    reference
      .operations()
      .slice(before)
      .filter(({ query }) => query.includes('rebootDevice')),
  ).toEqual([])
})

test('a tenant fills its variable, and the text stays while another screen is shown', async () => {
  const page = await open()
  await write(page, 'GraphQL document', 'query One($tenantId: ID!) { tenant(id: $tenantId) { name } }')
  const [first] = reference.world.tenants()
  await page.getByRole('combobox', { name: 'Tenant' }).selectOption({ label: first?.name ?? '' })
  await shows(
    page.getByRole('textbox', { name: 'Variables as JSON' }),
    new RegExp(`"tenantId": "${first?.id ?? ''}"`, 'u'),
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await hasLine(page, first?.name ?? '')
  const rail = page.getByRole('navigation', { name: 'Screens' })
  await rail.getByRole('button', { name: 'Inventory' }).click()
  await rail.getByRole('button', { name: 'Query' }).click()
  await shows(editorOf(page), /query One/u)
  await hasLine(page, first?.name ?? '')
})

test('a run without an answer is ended by the operator', async () => {
  const over = reference.misfortune.always('stall', { operationName: 'Stalled' })
  const page = await open()
  await write(page, 'GraphQL document', 'query Stalled { tenants { id } }')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await shows(statusOf(page), /^No answer\./u)
  over()
})

test('without introspection the documented fields are completed, and none is marked as wrong', async () => {
  const silent = await serveFleet(windows.leftovers, {
    devices: 20,
    tenants: 1,
    profile: 'contrary',
    contrary: { introspection: false },
  })
  const page = await windows.open(silent.served.server.newUrl(), { log: silent.served.muster.log })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await page.getByText(/^The service did not tell its schema/u).waitFor()
  await write(page, 'GraphQL document', '{ somethingElse tenants { id reg')
  await page.keyboard.press('Control+Space')
  await page
    .getByRole('listbox', { name: 'Completions' })
    .getByRole('option', { name: /^region/u })
    .first()
    .click()
  await shows(editorOf(page), /region/u)
  expect(await page.locator('.cm-lintRange').count()).toBe(0)
})

test('a slash and a question mark are letters in the editor', async () => {
  const page = await open()
  await editorOf(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('# a/b?')
  await shows(editorOf(page), '# a/b?')
  expect(await focused(page)).toBe('GraphQL document')
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('the query screen is accessible: $viewport.width, $colorScheme', async (options) => {
  const page = await open(options)
  await write(page, 'GraphQL document', '{ tenants { id name region { id } } }')
  await page.keyboard.press('Control+Enter')
  await linesOf(page).first().waitFor()
  await expectNoViolations(page, `query ${options.colorScheme}`)
})
