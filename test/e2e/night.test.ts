import { titleOf } from '../support/messages.ts'
import { expect, test } from 'vitest'
import type { Page } from 'playwright'
import { explain, type FaultKind } from '../../src-shared/model/fault.ts'
import { temporaryProfile, until } from '../support/fleet.ts'
import { csvOf, startNight } from '../support/night.ts'
import { serve, useWindows } from '../support/window.ts'
import { focused, partsOf, shows, textOf } from '../support/page-parts.ts'

const windows = useWindows()
const numberText = (count: number) => count.toLocaleString('en-US')

/** Forty connections and 30,000 devices on the screen; the points of the specification in windows of ten seconds. */
async function openNight() {
  const night = await startNight(windows.leftovers, { devices: 30_000, windowMs: 10_000 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await muster.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1 })
  const page = await windows.open(server.newUrl(), { log: muster.log })
  // While forty estates are read on two cores that others use too.
  page.setDefaultTimeout(120_000)
  return { night, muster, page }
}

async function pasteList(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Import a list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import connections' })
  await dialog.getByLabel('Paste the lines here').focus()
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+V')
  await dialog.getByText('40 lines: 40 to add, 0 to change, 0 rejected. Nothing is stored yet.').waitFor()
  await dialog.getByRole('button', { name: 'Import 40 connections' }).click()
  await dialog.getByText('40 connections stored.').waitFor()
  // A look waits too while the estates are read.
  await expect.poll(() => focused(page), { timeout: 120_000 }).toBe('Done')
  await page.keyboard.press('Enter')
}

test(
  'forty customers: status, errors, a site that drops and a removal are right in the window',
  { timeout: 400_000 },
  async () => {
    const { night, muster, page } = await openNight()
    const main = night.main()
    const secrets = night.connections.map(({ clientSecret }) => clientSecret)
    const addresses: string[] = []
    page.on('request', (request) => void addresses.push(request.url()))
    const { totals, status, table, choice, filter, rows } = partsOf(page)
    await pasteList(page, csvOf(night.connections))

    await status.getByRole('button', { name: 'Status: 37 of 40 live' }).waitFor()
    const tenants = await main.ask('world', 'tenants')
    const hidden = await main.ask('world', 'devices', tenants[night.unseen]?.id ?? '')
    const [inMain, inMinimal] = [await main.ask('world', 'totals'), await night.minimal.ask('world', 'totals')]
    const count = (connected: boolean | null) => hidden.filter((device) => device.connected === connected).length
    const online = inMain.online + inMinimal.online - count(true)
    const offline = inMain.offline + inMinimal.offline - count(false)
    const unknown = inMain.staged + inMinimal.staged - count(null)
    const sentence = `${numberText(night.devices)} devices: ${numberText(online)} online, ${offline} offline, ${unknown} unknown`
    await page.getByRole('button', { name: 'Inventory' }).click()
    await shows(totals, sentence, 120_000)

    // Exactly the three that cannot work, each with its reason and what to do.
    await page.getByText('3 of 40 connections with errors:').waitFor()
    await status.getByRole('button', { name: 'Status: 37 of 40 live' }).click()
    const links = page.getByRole('dialog')
    await links.getByText('With errors: 3').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Connections' }).click()
    const list = page.getByRole('grid', { name: 'Connections' })
    await page.getByRole('button', { name: /^With errors/u }).click()
    const lines = list.getByRole('row').filter({ has: page.getByRole('rowheader') })
    await expect.poll(() => lines.count()).toBe(3)
    const particulars = page.getByRole('region', { name: 'Connection', exact: true })
    for (const [name, kind] of [
      ['Wrong secret', 'credentials'],
      ['Untrusted', 'tls'],
      ['Dead host', 'connect'],
    ] satisfies [string, FaultKind][]) {
      await lines.filter({ has: page.getByRole('rowheader', { name }) }).click()
      await particulars.getByRole('heading', { name }).waitFor()
      const words = explain({ kind, detail: '' })
      await particulars.getByText(words.title).first().waitFor()
      await particulars.getByText(words.advice).first().waitFor()
    }
    await page.getByRole('button', { name: 'Inventory' }).click()

    // A device that two customers' credentials see is one line.
    const [shared] = await main.ask('world', 'devices', tenants[night.shared]?.id ?? '')
    await choice('All').click({ force: true })
    await filter.fill(`id:${shared?.id}`)
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('2')
    await filter.fill('')
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(night.devices + 1))

    // A site drops: one telling, whose click leads to its incident, and from there to its devices.
    const [site] = await main.ask('world', 'sites', tenants[5]?.id ?? '')
    const dropped = await main.ask('world', 'connectedAt', site?.id ?? '')
    for (const id of dropped) await main.ask('world', 'setConnected', id, false)
    const notifications = async () => (await muster.call('app.state', {})).notifications.recent
    await until(async () => expect(await notifications()).toHaveLength(1), 60_000)
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Notifications/u })
      .click()
    await page
      .getByRole('option')
      .or(page.getByRole('listitem'))
      .filter({ hasText: titleOf((await notifications())[0]) })
      .first()
      .click()
    await page
      .getByRole('region', { name: 'Incident', exact: true })
      .getByRole('button', { name: 'Show devices' })
      .click()
    await expect
      .poll(async () => Number(await table.getAttribute('aria-rowcount')) - 1)
      .toBeGreaterThanOrEqual(dropped.length)
    await expect.poll(async () => (await textOf(rows.first())).includes(site?.name ?? '?')).toBe(true)

    // Removing one leaves the others as they are.
    await page.getByRole('button', { name: 'Connections' }).click()
    await page.getByRole('button', { name: /^With errors/u }).click()
    await lines.filter({ has: page.getByRole('rowheader', { name: 'Customer 03' }) }).click()
    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Remove Customer 03' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove and wipe' }).click()
    await status.getByRole('button', { name: 'Status: 36 of 39 live' }).waitFor({ timeout: 30_000 })
    const left = night.devices - (await main.ask('world', 'devices', tenants[2]?.id ?? '')).length
    await page.getByRole('button', { name: 'Inventory' }).click()
    await page.getByRole('button', { name: 'Show all tenants' }).click()
    await shows(totals, new RegExp(`^${numberText(left)} devices: `, 'u'))

    expect([await main.ask('service', 'rejections'), await night.minimal.ask('service', 'rejections')]).toEqual([
      { tooExpensive: 0, exhausted: 0 },
      { tooExpensive: 0, exhausted: 0 },
    ])
    const content = `${await page.content()} ${page.url()} ${addresses.join(' ')} ${muster.log.join(' ')}`
    expect(secrets.filter((secret) => content.includes(secret))).toEqual([])
  },
)
