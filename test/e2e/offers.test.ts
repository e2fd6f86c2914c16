import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectNoViolations } from '../support/accessibility.ts'
import { focused, shows } from '../support/page-parts.ts'
import { connectionTo, service, temporaryProfile, whenRead } from '../support/fleet.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { serve, serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let served: Served

beforeAll(async () => {
  ;({ served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

const section = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Section' }).getByRole('button', { name, exact: true })
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: false }) })

/** Opens the page from the connection's screen. */
async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Connections' }).click()
  await page.getByRole('button', { name: /^What it offers:/u }).click()
  await page.getByRole('heading', { level: 1, name: /^What .* offers$/u }).waitFor()
  await page.getByText('As the service tells its schema.').waitFor()
  return page
}

test('a connection’s page tells what Muster uses, what there is to ask, and the limits', async () => {
  const page = await open()
  await shows(rowOf(page, 'Page sizes'), /Used.*The schema has it/u)
  await section(page, 'Queries').click()
  await shows(rowOf(page, 'siteData'), /tenantId: String!.*SiteDataConnection.*All sites of a tenant/u)
  await page.getByRole('searchbox', { name: 'Search this section' }).fill('meeting')
  await expect.poll(() => page.getByRole('table', { name: 'Queries' }).getByRole('rowheader').count()).toBe(1)
  await page.getByRole('searchbox', { name: 'Search this section' }).fill('')
  await section(page, 'Device fields').click()
  await shows(rowOf(page, 'hardwareModel'), /Read by each sync/u)
  await shows(rowOf(page, 'serialNumber'), /Can be an extra column/u)
  await section(page, 'Subscriptions').click()
  await rowOf(page, 'deviceStream').waitFor()
  await section(page, 'Limits').click()
  await page.getByText('100,000 points, as the headers of answers say').waitFor()
  await page.getByText(/US-1/u).waitFor()
  await section(page, 'Schema history').click()
  await page.getByText('No change was seen.').waitFor()
})

test('a root field is opened in Query as an operation, by the keys alone', async () => {
  const page = await open()
  await section(page, 'Queries').click()
  await page.getByRole('searchbox', { name: 'Search this section' }).focus()
  await page.keyboard.type('site(')
  const button = page.getByRole('button', { name: 'Open site in Query' })
  await button.waitFor()
  for (let presses = 0; presses < 6 && !(await focused(page)).includes('Open site'); presses += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const editor = page.getByRole('textbox', { name: 'GraphQL document' })
  await shows(editor, /query Site\(\$id: String!\) \{ ?site\(id: \$id\) \{ ?id ?name/u)
  await page.getByRole('button', { name: 'What the service offers' }).click()
  await page.getByRole('heading', { level: 1, name: /^What .* offers$/u }).waitFor()
})

test('the palette leads there, and another screen leaves it', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('offers')
  await page.getByRole('option', { name: /^What .* offers/u }).click()
  await page.getByRole('heading', { level: 1, name: /^What .* offers$/u }).waitFor()
  const rail = page.getByRole('navigation', { name: 'Screens' })
  await rail.getByRole('button', { name: 'Connections' }).click()
  await rail.getByRole('button', { name: 'Query' }).click()
  await page.getByRole('textbox', { name: 'GraphQL document' }).waitFor()
})

test('a field that the service no longer has is reported, and the report leads to the difference', async () => {
  const secrets = openMemory('this session only: a test')
  const profile = temporaryProfile(windows.leftovers)
  const options = { devices: 20, tenants: 1, profile: 'contrary' } as const
  const reference = await service(windows.leftovers, options)
  const first = await serve(windows.leftovers, profile, { secrets })
  const { id: connection } = await first.muster.call('connections.save', connectionTo(reference))
  await whenRead(first.muster)
  await first.muster.call('query.schema', { connection, again: false })
  await first.stop()
  const { clientId, clientSecret, certificates } = reference
  await reference.stop()
  const port = Number(new URL(reference.graphqlUrl).port)
  await service(windows.leftovers, {
    ...options,
    port,
    clientId,
    clientSecret,
    certificates,
    contrary: { missingFields: ['lastConfigRequestDate'] },
  })
  const { server, muster } = await serve(windows.leftovers, profile, { secrets })
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByText('lastConfigRequestDate').first().waitFor()
  await page.getByRole('button', { name: 'Show changes' }).click()
  const entry = page.getByRole('region', { name: 'Schema change' })
  await shows(entry, /1 change in device fields and search parameters.*Breaking Removed Device\.lastConfigRequestDate/u)
  await page.getByRole('searchbox', { name: 'Search this section' }).fill('nothing of this name')
  await page.getByText('No match.').waitFor()
})

test.each([
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 720, height: 450 } },
] as const)('the page is accessible: $viewport.width, $colorScheme', async (options) => {
  const page = await open(options)
  await expectNoViolations(page, `uses ${options.colorScheme}`)
  await section(page, 'Queries').click()
  await rowOf(page, 'siteData').waitFor()
  await expectNoViolations(page, `queries ${options.colorScheme}`)
})
