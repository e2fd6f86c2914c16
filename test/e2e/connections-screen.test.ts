import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright'
import type { Service } from '../../src-service/service.ts'
import { explain } from '../../src-shared/model/fault.ts'
import { connectionTo, service, temporaryProfile, until } from '../support/fleet.ts'
import { heap } from '../support/heap.ts'
import { readFleet, savedBy, serve, useWindows } from '../support/window.ts'
import { focused, partsOf, shows, tabTo, takeRefresh, textOf } from '../support/page-parts.ts'

const windows = useWindows()
const longName =
  'Helvetia Rückversicherung Aktiengesellschaft und Tochtergesellschaften (Zürich, Bern, Genf, Lausanne) '
    .repeat(2)
    .slice(0, 200)
    .trim()

/** Four customers: two that work, one with a wrong secret, one whose port is closed. */
async function four() {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(served.muster, reference)
  await served.muster.call('connections.save', connectionTo(reference, { name: 'Zander' }))
  await served.muster.call('connections.save', connectionTo(reference, { name: longName, clientSecret: 'wrong' }))
  await served.muster.call(
    'connections.save',
    connectionTo(reference, { name: 'Closed', tokenUrl: 'https://127.0.0.1:1/oauth/token' }),
  )
  await until(async () =>
    expect(
      (await served.muster.call('app.state', {})).connections.filter(({ faults }) =>
        // They have one credential set, which is only a hint.
        faults.some(({ fault }) => fault.kind !== 'same-set'),
      ),
    ).toHaveLength(2),
  )
  return { reference, ...served }
}

const roomOf = (page: Page) => {
  const list = page.getByRole('grid', { name: 'Connections' })
  return {
    list,
    lines: list.getByRole('row').filter({ has: page.getByRole('rowheader') }),
    line: (name: string) => list.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) }),
    particulars: page.getByRole('region', { name: 'Connection', exact: true }),
    act: (name: string | RegExp) => page.getByRole('group', { name: 'Actions' }).getByRole('button', { name }),
  }
}

test('the connection status opens to the connections with errors, and each to its details', async () => {
  const { muster, server } = await four()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { totals, status } = partsOf(page)
  const { lines, particulars } = roomOf(page)
  // One broken customer never greys the others.
  await shows(totals, /^60 devices: [1-9]\d* online, \d+ offline, /u)
  await page.getByText('2 of 4 connections with errors:').waitFor()
  await status.getByRole('button', { name: 'Status: 2 of 4 live' }).focus()
  await page.keyboard.press('Enter')
  const links = page.getByRole('dialog')
  await links.getByText('With errors: 2').waitFor()
  await expect.poll(() => links.getByRole('listitem').count()).toBe(4)
  await tabTo(page, /^Closed/u)
  await page.keyboard.press('Enter')
  await particulars.getByRole('heading', { name: 'Closed' }).waitFor()
  await particulars
    .getByText(explain({ kind: 'connect', detail: '' }).title)
    .first()
    .waitFor()
  await expect.poll(() => lines.count()).toBe(4)
})

test('the list is filtered, limited to errors, sorted and navigated by the keyboard', async () => {
  const { muster, server } = await four()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  const { lines, list, particulars } = roomOf(page)
  await expect.poll(() => lines.count()).toBe(4)
  await particulars.getByRole('heading', { name: 'Acme' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('zan')
  await expect.poll(() => lines.count()).toBe(1)
  await particulars.getByRole('heading', { name: 'Zander' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => lines.count()).toBe(4)
  await page.getByRole('button', { name: /^With errors/u }).click()
  await expect.poll(() => lines.count()).toBe(2)
  await page.getByText('2 of 4 connections', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^With errors/u }).click()
  await list.getByRole('columnheader', { name: 'Name' }).click()
  await expect.poll(async () => textOf(lines.first().getByRole('rowheader'))).toBe('Zander')
  await lines.first().click()
  await page.keyboard.press('ArrowDown')
  await particulars.getByRole('heading', { name: 'Helvetia' }).waitFor()
})

test('each connection shows its devices and points; connections with one error are one group', async () => {
  const { muster, server, reference } = await one()
  for (const name of ['North', 'South', 'West'])
    await muster.call(
      'connections.save',
      connectionTo(reference, { name, tokenUrl: 'https://127.0.0.1:1/oauth/token' }),
    )
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  const { lines, line, list } = roomOf(page)
  const numbers = async (name: string) => (await line(name).getByRole('gridcell').allInnerTexts()).slice(1, 4)
  const { totals } = await muster.call('app.state', {})
  await expect.poll(async () => (await numbers('Acme')).slice(0, 2)).toEqual(['60', String(totals.disconnected)])
  expect((await numbers('Acme'))[2]).toMatch(/^\d+,\d{3}$/u)
  await expect.poll(() => lines.count()).toBe(2)
  const group = line('3 connections')
  await shows(group, new RegExp(explain({ kind: 'connect', detail: '' }).title, 'u'))
  await group.click()
  await page
    .getByRole('region', { name: 'Connections with the same error' })
    .getByRole('button', { name: 'Retry all 3 now' })
    .waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => lines.count()).toBe(5)
  await expect.poll(() => list.evaluate((grid) => grid.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.getByRole('region', { name: 'Connection', exact: true }).getByRole('heading', { name: 'North' }).waitFor()
  await group.getByRole('button', { name: 'Hide 3 connections' }).click()
  await expect.poll(() => lines.count()).toBe(2)
})

test('a connection is paused, resumed and tested by the keyboard, and shows its status', async () => {
  const { muster, server } = await one()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { line, particulars, act } = roomOf(page)
  const { totals, status } = partsOf(page)
  await page.getByRole('button', { name: 'Connections' }).click()
  await act('Pause Acme').focus()
  await page.keyboard.press('Enter')
  await particulars.getByText('Paused', { exact: true }).waitFor()
  await expect.poll(() => focused(page)).toBe('Resume Acme')
  await shows(line('Acme').getByRole('gridcell').first(), 'Paused')
  await status.getByRole('button', { name: 'Status: Paused' }).waitFor()
  expect(await act(/^Retry/u).count()).toBe(0)
  await page.getByRole('button', { name: 'Inventory' }).click()
  await shows(totals, '60 devices: 0 online, 0 offline, 60 unknown')
  await page.getByRole('button', { name: 'Connections' }).click()
  await act('Resume Acme').focus()
  await page.keyboard.press('Enter')
  await particulars.getByText('Live', { exact: true }).waitFor()
  await tabTo(page, 'Test Acme')
  await page.keyboard.press('Enter')
  await particulars.getByText('Passed, not saved.').waitFor()
})

test('removing says what is deleted for good; afterwards the focus is in the list', async () => {
  const { muster, server } = await four()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  const { lines, line, act, list } = roomOf(page)
  await line('Closed').click()
  await act('Remove Closed').focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await question.getByText('It cannot be undone:').waitFor()
  expect(await focused(page)).toBe('Keep it')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Remove Closed')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Remove and wipe')
  await page.keyboard.press('Enter')
  await expect.poll(() => lines.count()).toBe(3)
  await expect.poll(() => list.evaluate((grid) => grid.contains(document.activeElement))).toBe(true)
})

test('the list is exported as a file without any secret', async () => {
  const { reference, muster, server } = await one()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  const { name, text } = await savedBy(page, () => page.getByRole('button', { name: 'Export without secrets' }).click())
  expect(name).toBe('muster-connections.csv')
  expect(text).toContain(reference.tokenUrl)
  expect(text).not.toContain(reference.clientSecret)
})

const head = 'name,token_url,graphql_url,subscription_url,client_id,client_secret,ca'
const csvLine = (to: Service, name: string, secret = to.clientSecret) =>
  [name, to.tokenUrl, to.graphqlUrl, to.subscriptionUrl, to.clientId, secret, `"${to.ca}"`].join(',')

test('a list is pasted, previewed and imported by the keyboard; its secrets are never shown', async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  await tabTo(page, 'Import a list')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Import connections' })
  await expect.poll(() => focused(page)).toBe('Paste the lines here')
  const text = [
    head,
    csvLine(reference, 'First'),
    csvLine(reference, 'Second', ''),
    'Third,http://plain.example,,,id,hunter2-is-secret,',
  ].join('\n')
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+V')
  await dialog.getByText('3 lines: 2 to add, 0 to change, 1 rejected. Nothing is stored yet.').waitFor()
  await dialog.getByText('1 line has no client_secret: that connection cannot sign in until you enter one.').waitFor()
  const lines = dialog.getByRole('table', { name: 'Lines' }).getByRole('row')
  expect(await lines.count()).toBe(3)
  expect(await textOf(lines.nth(1))).toMatch(/add Second No secret$/u)
  expect(await textOf(lines.nth(2))).toMatch(/reject Third .*token_url/u)
  const content = await page.content()
  expect(content).not.toContain(reference.clientSecret)
  expect(content).not.toContain('hunter2')
  expect((await muster.call('app.state', {})).connections).toEqual([])
  await tabTo(page, 'Import 2 connections')
  await page.keyboard.press('Enter')
  await dialog.getByText('2 connections stored.').waitFor()
  await dialog.getByText('One has no secret and cannot sign in yet: enter it under Edit.').waitFor()
  await expect.poll(() => focused(page)).toBe('Done')
  await page.keyboard.press('Enter')
  const { lines: listed } = roomOf(page)
  await expect.poll(() => listed.count()).toBe(2)
  await page.evaluate(() => navigator.clipboard.writeText('something else'))
  const cdp = await page.context().newCDPSession(page)
  expect(await heap(cdp)).toContain(reference.clientId)
  await expect
    .poll(() => heap(cdp).then((held) => held.includes(reference.clientSecret)), { timeout: 20_000, interval: 500 })
    .toBe(false)
})

test('importing the own export changes nothing, and a text without a head is rejected', async () => {
  const { muster, server } = await one()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  const bring = async (text: string) => {
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Import connections' })
    const file = path.join(temporaryProfile(windows.leftovers), 'list.csv')
    writeFileSync(file, text)
    await dialog.locator('input[type=file]').setInputFiles(file)
    return dialog
  }
  const { text } = await muster.call('connections.export', {})
  const dialog = await bring(text.replace('portal', 'portal,colour'))
  await dialog.getByText('1 line: 0 to add, 0 to change, 1 unchanged, 0 rejected. Nothing is stored yet.').waitFor()
  await dialog.getByText('A column is not known and will be ignored: “colour”.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Nothing to import' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  const rejected = await bring('Dear colleagues, here is the list.')
  await expect.poll(() => textOf(rejected.getByRole('alert'))).toMatch(/^The first line must name the columns: /u)
  // The focus is still in the dialog, so that Escape leaves it.
  expect(await focused(page)).toBe('Paste the lines here')
  await page.keyboard.press('Escape')
  await rejected.waitFor({ state: 'hidden' })
  const empty = await bring(`${head}\n`)
  await expect.poll(() => textOf(empty.getByRole('alert'))).toBe('There are no lines below the head.')
  expect(await empty.getByRole('button', { name: 'Nothing to import' }).count()).toBe(0)
})

test('five thousand lines of a file are previewed at once, and only the visible ones are drawn', async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import connections' })
  const file = path.join(temporaryProfile(windows.leftovers), 'list.csv')
  const { ca: _ca, ...without } = reference
  writeFileSync(
    file,
    [
      head,
      ...Array.from({ length: 5_000 }, (_, index) =>
        csvLine({ ...without, ca: '' } as Service, index === 4_000 ? '' : `Customer ${index}`),
      ),
    ].join('\n'),
  )
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByText('5,000 lines: 4,999 to add, 0 to change, 1 rejected. Nothing is stored yet.').waitFor()
  const table = dialog.getByRole('table', { name: 'Lines' })
  expect(await table.getAttribute('aria-rowcount')).toBe('5000')
  expect(await table.getByRole('row').count()).toBeLessThan(60)
  await dialog.getByRole('button', { name: /^Rejected only/u }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(1)
  // A list that can be imported is not thrown away by one key.
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard it?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => table.getByRole('row').count()).toBe(1)
  // The question gives the focus back a moment after it has gone.
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Import a list')
  expect((await muster.call('app.state', {})).connections).toEqual([])
})

test('a missing secret is reported as missing here, not as rejected by the service', async () => {
  const reference = await service(windows.leftovers, { devices: 20, tenants: 1 })
  const profile = temporaryProfile(windows.leftovers)
  const before = await serve(windows.leftovers, profile)
  await readFleet(before.muster, reference)
  await before.stop()
  const { muster, server } = await serve(windows.leftovers, profile)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  // From the line that says so, the form begins at the secret.
  await page.getByRole('button', { name: 'Edit connection' }).click()
  await expect.poll(() => focused(page)).toBe('Client secret')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Edit connection')
  await page.getByRole('button', { name: 'Connections' }).click()
  const fault = page.getByRole('list', { name: 'Errors' }).getByRole('listitem')
  await shows(fault, /^The client secret is not known here\. /u)
  expect(await textOf(fault)).not.toContain('the service')
})

test('a banner over the unknown devices says that the only connection is paused', async () => {
  const { muster, server } = await one()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { status, totals } = partsOf(page)
  await shows(totals, /^60 devices: [1-9]/u)
  await page.getByRole('button', { name: 'Connections' }).click()
  await roomOf(page).act('Pause Acme').click()
  await page.getByRole('button', { name: 'Inventory' }).click()
  await shows(totals, '60 devices: 0 online, 0 offline, 60 unknown')
  await page
    .getByRole('status')
    .getByText(/^Acme is paused\. Last response at .* ago\. Since then its devices are unknown, not offline\.$/u)
    .waitFor()
  await shows(status.getByText(/^Last sync/u), /(just now|ago)$/u)
  await page.keyboard.press('Shift+F5')
  await takeRefresh(page, 'Sync all tenants')
  await page.getByText('Not refreshed: the connection is paused.').waitFor()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await shows(totals, /^60 devices: [1-9]/u)
  await expect.poll(() => page.getByText(/is paused/u).count()).toBe(0)
})

test('a changed host requires the secret again', async () => {
  const { muster, server } = await one()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  await roomOf(page).act('Edit Acme').click()
  const form = page.getByRole('dialog', { name: 'Edit connection' })
  await form.getByText(/^Leave empty to keep the current one\./u).waitFor()
  await form.getByLabel('Token URL').fill('https://elsewhere.test/oauth/token')
  await form.getByRole('button', { name: 'Save and connect' }).click()
  await form.getByText(/^Enter it again, because the token URL leads to/u).waitFor()
  expect(await form.getByText(/Leave empty/u).count()).toBe(0)
})

test('a connection is edited with its known fields, and keeps its secret', async () => {
  const { muster, server } = await one()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  const { id } = (await muster.call('app.state', {})).connections[0] ?? { id: '' }
  await roomOf(page).act('Edit Acme').click()
  const form = page.getByRole('dialog', { name: 'Edit connection' })
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Acme')
  expect(await form.getByLabel('Client secret').inputValue()).toBe('')
  await form.getByLabel('Name').fill('Acme renamed')
  await form.getByRole('button', { name: 'Save and connect' }).click()
  await page.getByRole('heading', { name: 'Acme renamed' }).waitFor()
  expect((await muster.call('app.state', {})).connections.map((each) => each.id)).toEqual([id])
})

async function one() {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(served.muster, reference)
  return { reference, ...served }
}

test('a second connection of the same name is rejected beside the name', async () => {
  const { muster, reference, server } = await one()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const form = page.getByRole('dialog', { name: 'New connection' })
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret } = connectionTo(reference)
  const fields = {
    Name: 'Acme',
    'Token URL': tokenUrl,
    'GraphQL URL': graphqlUrl,
    'Subscription URL': subscriptionUrl,
    'Client id': clientId,
    'Client secret': clientSecret,
  }
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text)
  await page.keyboard.press('Enter')
  await form.getByText('Another connection has this name.').waitFor()
  expect(await focused(page)).toBe('Name')
  expect((await muster.call('app.state', {})).connections).toHaveLength(1)
})
