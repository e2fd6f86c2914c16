import { expect, test } from 'vitest'
import type { Locator, Page } from 'playwright'
import type { Service } from '../../src-service/service.ts'
import { explain } from '../../src-shared/model/fault.ts'
import { presets } from '../../src-shared/connections/presets.ts'
import { connectionTo, service, temporaryProfile } from '../support/fleet.ts'
import { heap } from '../support/heap.ts'
import { serve, useWindows, whenListening } from '../support/window.ts'
import { focused, partsOf, shows, tabTo, textOf } from '../support/page-parts.ts'

const windows = useWindows()

/** The JSON object that `npm run service` prints. */
function printed(reference: Service): string {
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret } = reference
  return JSON.stringify({
    token_url: tokenUrl,
    graphql_url: graphqlUrl,
    subscription_url: subscriptionUrl,
    client_id: clientId,
    client_secret: clientSecret,
  })
}

/** Pastes this text by a browser event, as the clipboard's own key would. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+V')
}

test('a connection is added from a pasted JSON object, and the window keeps no secret', async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  await tabTo(page, 'Add a connection')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'New connection' })
  await form.waitFor()
  await expect.poll(() => form.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  await paste(page, printed(reference))
  await form.getByText('Filled in 5 fields from the JSON object.').waitFor()
  expect(await form.getByLabel('Token URL').inputValue()).toBe(reference.tokenUrl)
  expect(await form.getByLabel('Client secret').inputValue()).toBe(reference.clientSecret)
  await page.keyboard.type('Acme from the clipboard')
  await tabTo(page, 'CA certificate')
  await paste(page, reference.ca)
  await tabTo(page, 'Save and connect')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await whenListening(muster, reference)
  await page.getByRole('heading', { name: 'Acme from the clipboard' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Show devices')
  await page.evaluate(() => navigator.clipboard.writeText('something else'))
  expect(await page.content()).not.toContain(reference.clientSecret)
  expect(
    await page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state]),
    ),
  ).not.toContain(reference.clientSecret)
  const cdp = await page.context().newCDPSession(page)
  expect(await heap(cdp)).toContain(reference.clientId)
  await expect
    .poll(() => heap(cdp).then((text) => text.includes(reference.clientSecret)), { timeout: 20_000, interval: 500 })
    .toBe(false)
  // From the first connection to its rows it is one key.
  await page.keyboard.press('Enter')
  await shows(partsOf(page).totals, /^60 devices:/u)
  await shows(partsOf(page).rows.first(), /\S/u)
  await expect.poll(() => partsOf(page).choice('All').isChecked()).toBe(true)
})

test('an invalid field is marked with its error and has the focus', async () => {
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const form = page.getByRole('dialog', { name: 'New connection' })
  await form.getByLabel('Name').fill('Acme')
  await form.getByLabel('Token URL').fill('http://example.com/token')
  await form.getByLabel('GraphQL URL').fill('https://example.com/graphql')
  await form.getByLabel('Subscription URL').fill('wss://example.com/graphql')
  await form.getByLabel('Client id').fill('id')
  await form.getByLabel('Client secret').fill('secret')
  await form.getByRole('button', { name: 'Save and connect' }).click()
  const field = form.getByLabel('Token URL')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  const described = await field.evaluate((element) =>
    element.ariaDescribedByElements?.map(({ textContent }) => textContent).join(' '),
  )
  expect(described).toMatch(/https/u)
  expect((await muster.call('app.state', {})).connections).toEqual([])
})

test('an empty form marks every missing field, and Escape returns to the button that opened it', async () => {
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  await tabTo(page, 'Add a connection')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'New connection' })
  await form.getByRole('button', { name: 'Save and connect' }).click()
  const wrong = form.locator('[aria-invalid=true]')
  await expect.poll(() => wrong.count()).toBe(6)
  expect(await wrong.evaluateAll((fields) => fields.map((field) => field.getAttribute('name')))).toEqual([
    'name',
    'tokenUrl',
    'graphqlUrl',
    'subscriptionUrl',
    'clientId',
    'clientSecret',
  ])
  expect(await focused(page)).toBe('Name')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Add a connection')
})

test('Escape asks before it discards what was typed', async () => {
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const form = page.getByRole('dialog', { name: 'New connection' })
  const question = page.getByRole('alertdialog', { name: 'Discard it?' })
  const secret = form.getByLabel('Client secret')
  await secret.fill('typed with care')
  await page.keyboard.press('Escape')
  await question.waitFor()
  expect(await focused(page)).toBe('Go back')
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Client secret')
  await page.keyboard.press('Escape')
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await secret.inputValue()).toBe('typed with care')
  await expect.poll(() => focused(page)).toBe('Client secret')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await form.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Add a connection')
  await page.keyboard.press('Enter')
  await form.waitFor()
  expect(await secret.inputValue()).toBe('')
})

test('a test marks every invalid field at once and does not need a name', async () => {
  const reference = await service(windows.leftovers, { devices: 20, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const form = page.getByRole('dialog', { name: 'New connection' })
  const fill = async (values: readonly (readonly [string, string])[]) => {
    for (const [label, value] of values) await form.getByLabel(label).fill(value)
  }
  await form.getByText('Advanced').click()
  await fill([
    ['Token URL', 'login.example.com/oauth/token'],
    ['GraphQL URL', 'http://api.example.com/graphql'],
    ['Subscription URL', 'https://api.example.com/graphql'],
    ['Client id', 'id'],
    ['Client secret', 'secret'],
    ['Address of a device’s page', 'https://portal.example.com/'],
    ['Name', ''],
  ])
  const wrong = form.locator('[aria-invalid=true]')
  const marked = () => wrong.evaluateAll((fields) => fields.map((field) => field.getAttribute('name')))
  await expect.poll(marked).toEqual(['tokenUrl', 'graphqlUrl', 'subscriptionUrl', 'portal'])
  await fill([
    ['Token URL', ''],
    ['Name', ''],
  ])
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await expect.poll(marked).toEqual(['tokenUrl', 'graphqlUrl', 'subscriptionUrl', 'portal'])
  expect(await focused(page)).toBe('Token URL')
  expect(await form.innerText()).not.toMatch(/tokenUrl|graphqlUrl|cannot be used as it is/u)
  // What only the core can tell is told at the field as well.
  await fill([
    ['Token URL', reference.tokenUrl],
    ['GraphQL URL', reference.graphqlUrl],
    ['Subscription URL', reference.subscriptionUrl],
    ['Address of a device’s page', ''],
    ['Subscription document', 'subscription {'],
  ])
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await expect.poll(marked).toEqual(['subscription'])
  await form.getByText('This is not a GraphQL document: see line 1, column 15.').waitFor()
  await fill([
    ['Subscription document', ''],
    ['Client id', reference.clientId],
    ['Client secret', reference.clientSecret],
    ['CA certificate', reference.ca],
  ])
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  const result = form.getByText('Passed, not saved.')
  await result.waitFor()
  expect(await marked()).toEqual([])
  expect(await focused(page)).toBe('Test')
  await expect.poll(() => isOver(result, form.getByRole('button', { name: 'Cancel' }))).toBe(true)
})

/** Whether the element is visible in the window, above the buttons at its foot. */
async function isOver(words: Locator, foot: Locator): Promise<boolean> {
  const [one, other] = [await words.boundingBox(), await foot.boundingBox()]
  return one !== null && other !== null && one.y >= 0 && one.y + one.height <= other.y
}

test('a known service fills in its addresses, and keeps a name that was typed', async () => {
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const form = page.getByRole('dialog', { name: 'New connection' })
  await form.getByLabel('Name').fill('Nordlicht')
  const [preset] = presets
  await form
    .getByRole('group', { name: 'Known services' })
    .getByRole('button', { name: preset?.name ?? '' })
    .click()
  await form.getByText(`Filled in 4 fields from ${preset?.name}.`).waitFor()
  expect(await form.getByLabel('Name').inputValue()).toBe('Nordlicht')
  expect(await form.getByLabel('Token URL').inputValue()).toBe(preset?.tokenUrl)
  expect(await form.getByLabel('Subscription URL').inputValue()).toBe(preset?.subscriptionUrl)
})

test('a connection can be tested before it is saved, and the failed step says what to do', async () => {
  const reference = await service(windows.leftovers, { devices: 20, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const form = page.getByRole('dialog', { name: 'New connection' })
  const { name, tokenUrl, graphqlUrl, subscriptionUrl, clientId, ca } = connectionTo(reference)
  for (const [label, value] of [
    ['Name', name],
    ['Token URL', tokenUrl],
    ['GraphQL URL', graphqlUrl],
    ['Subscription URL', subscriptionUrl],
    ['Client id', clientId],
    ['Client secret', 'wrong'],
    ['CA certificate', ca],
  ] as const)
    await form.getByLabel(label).fill(value)
  await form.getByRole('button', { name: 'Test' }).click()
  const legs = form.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem')
  await expect.poll(() => legs.count()).toBe(5)
  expect(await textOf(legs.nth(2))).toContain(explain({ kind: 'credentials', detail: '' }).advice)
  expect((await legs.allInnerTexts()).map((text) => /works|fails|not tried/u.exec(text)?.[0])).toEqual([
    'works',
    'works',
    'fails',
    'not tried',
    'not tried',
  ])
  expect(await form.getByLabel('Client secret').inputValue()).toBe('wrong')
  // What it came to is of what stood there: a name is no part of it, a secret is.
  await form.getByLabel('Name').fill('Another name')
  await form.getByText('Failed at: Access token.').waitFor()
  await form.getByLabel('Client secret').fill(reference.clientSecret)
  await form.getByText('This has been changed since it was tested.').waitFor()
  expect(await form.getByText('Failed at').count()).toBe(0)
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText('Passed, not saved.').waitFor()
  expect((await muster.call('app.state', {})).connections).toEqual([])
})
