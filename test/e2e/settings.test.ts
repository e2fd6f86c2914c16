import { expect, test } from 'vitest'
import type { Page } from 'playwright'
import { openSecrets } from '../../src-main/secrets/keychain.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { defaultSettings } from '../../src-shared/model/settings.ts'
import { connectionTo, service, temporaryProfile, whenRead } from '../support/fleet.ts'
import { makeAuthority } from '../main/platform/web/certificates.ts'
import { startProxy } from '../main/platform/web/servers.ts'
import { browserTest, readFleet, serve, shell, useWindows } from '../support/window.ts'
import { focused, partsOf, shows, tabTo } from '../support/page-parts.ts'

const windows = useWindows()

async function setup() {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const profile = temporaryProfile(windows.leftovers)
  const served = await serve(windows.leftovers, profile)
  await readFleet(served.muster, reference)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  const stored = async () => (await served.muster.call('app.state', {})).settings
  return { page, profile, served, stored }
}

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const lightness = (colour: string) => Number(/\d+/u.exec(colour)?.[0])

test('theme, density and time zone take effect at once and stay after a reload', async () => {
  const { page, stored } = await setup()
  const { status, rows, choice } = partsOf(page)
  expect(lightness(await ground(page))).toBeLessThan(60)
  await page.getByRole('radio', { name: 'System' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => lightness(await ground(page))).toBeGreaterThan(200)
  await shows(
    status.getByTitle('All times on the screen are in this zone'),
    /^Times in Europe\/Berlin, UTC\+0[12]:00$/u,
  )
  await page.getByRole('radio', { name: 'UTC', exact: true }).focus()
  await page.keyboard.press('Space')
  await shows(status.getByTitle('All times on the screen are in this zone'), 'Times in UTC')
  await page.getByRole('button', { name: 'Inventory' }).click()
  await choice('All').click()
  const height = () => rows.first().evaluate((row) => row.getBoundingClientRect().height)
  const compact = await height()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByText('Comfortable', { exact: true }).click()
  await page.getByRole('button', { name: 'Inventory' }).click()
  await expect.poll(height).toBeGreaterThan(compact)
  await expect.poll(stored).toMatchObject({ theme: 'light', times: 'utc', density: 'comfortable' })
  await page.reload()
  await rows.first().waitFor()
  await expect.poll(async () => lightness(await ground(page))).toBeGreaterThan(200)
  await shows(status.getByTitle('All times on the screen are in this zone'), 'Times in UTC')
})

test('the list of sections leads to each of them and marks the visible one', async () => {
  const { page } = await setup()
  const list = page.getByRole('navigation', { name: 'Sections of the settings' })
  const current = () => list.locator('[aria-current=location]').allInnerTexts()
  const headings = (await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()).map((text) =>
    text.trim(),
  )
  expect(await list.getByRole('button').allInnerTexts()).toEqual(headings)
  expect(await current()).toEqual(['Appearance'])
  await tabTo(page, 'Network')
  await page.keyboard.press('Enter')
  await expect.poll(current).toEqual(['Network'])
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Network')
  await list.getByRole('button', { name: 'Storage' }).click()
  await expect.poll(current).toEqual(['Storage'])
  await page.locator('#settings').evaluate((screen) => screen.scrollTo(0, 0))
  await expect.poll(current).toEqual(['Appearance'])
})

test('a number outside its limits is rejected with them; the arrows and Enter set one', async () => {
  const { page, stored } = await setup()
  const field = page.getByRole('textbox', { name: 'Full sync every, minutes' })
  await field.fill('4')
  await page.getByText('Enter a whole number from 5 to 1,440 minutes.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await page.keyboard.press('Enter')
  expect((await stored()).fullSyncMinutes).toBe(30)
  expect(await field.inputValue()).toBe('4')
  await page.keyboard.press('Escape')
  await expect.poll(() => field.inputValue()).toBe('30')
  await page.keyboard.press('ArrowUp')
  await expect.poll(async () => (await stored()).fullSyncMinutes).toBe(31)
  await field.fill('45')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await stored()).fullSyncMinutes).toBe(45)
  await tabTo(page, 'Full sync every: restore the default, 30 minutes')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await stored()).fullSyncMinutes).toBe(30)
  await expect.poll(() => focused(page)).toBe('Full sync every, minutes')
})

test('switches are set by the keyboard, and all settings are restored to their defaults', async () => {
  const { page, stored } = await setup()
  await page.getByRole('switch', { name: 'Devices that come back' }).focus()
  await page.keyboard.press('Space')
  await expect.poll(async () => (await stored()).notifyRecovered).toBe(false)
  await page.getByRole('radio', { name: 'Light' }).focus()
  await page.keyboard.press('Space')
  await expect.poll(async () => (await stored()).theme).toBe('light')
  await page.getByRole('button', { name: 'Restore defaults' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(stored).toEqual(defaultSettings(false))
  expect(await page.getByRole('switch', { name: 'Devices that come back' }).isChecked()).toBe(true)
})

test('the incident group sets thresholds, and mutes hardware models by name', async () => {
  const { page, stored } = await setup()
  const group = page.getByRole('region', { name: 'Incidents' })
  await group.getByRole('textbox', { name: 'Site-down share, per cent' }).fill('80')
  await page.keyboard.press('Enter')
  await group.getByRole('textbox', { name: 'Flap period, minutes' }).fill('181')
  await group.getByText('Enter a whole number from 1 to 180 minutes.').waitFor()
  await page.keyboard.press('Escape')
  const model = group.getByRole('combobox', { name: 'Hardware model' })
  await model.fill('Voyager Focus 2')
  await page.keyboard.press('Enter')
  await expect.poll(stored).toMatchObject({ siteDownPercent: 80, flapMinutes: 30, mutedModels: ['Voyager Focus 2'] })
  await model.fill('voyager focus 2')
  await expect.poll(() => group.getByRole('button', { name: 'Add hardware model' }).isDisabled()).toBe(true)
  await group.getByRole('button', { name: 'Unmute Voyager Focus 2' }).press('Enter')
  await expect.poll(async () => (await stored()).mutedModels).toEqual([])
  await expect.poll(() => focused(page)).toBe('Hardware model')
  await model.fill('TC8')
  await page.keyboard.press('Enter')
  await group.getByRole('button', { name: 'Muted models: restore the default, none' }).click()
  await expect.poll(async () => (await stored()).mutedModels).toEqual([])
})

test('settings show where they and the secrets are stored, and the tray only if there is one', async () => {
  const { page, profile } = await setup()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await tabTo(page, 'Copy the path of the settings file')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copied the path of the settings file' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${profile}/settings.json`)
  await page.getByText(/^In (memory until Muster quits, never on disk|this computer’s keychain): \S/u).waitFor()
  expect(await page.getByRole('switch', { name: 'Close to the tray' }).count()).toBe(shell === 'electron' ? 1 : 0)
})

browserTest('a proxy login is entered in the settings, and the page does not keep its password', async () => {
  const authority = await makeAuthority()
  const reference = await service(windows.leftovers, { devices: 20, tenants: 1 })
  const proxy = await startProxy(Number(new URL(reference.graphqlUrl).port), {
    inspects: await authority.issue(['devices.example.test']),
    login: 'ann:hunter2',
  })
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers), {
    env: { HTTPS_PROXY: proxy.url },
  })
  const away = (url: string) => url.replace(/\/\/[^/]+/u, '//devices.example.test')
  const [tokenUrl, graphqlUrl, subscriptionUrl] = [
    away(reference.tokenUrl),
    away(reference.graphqlUrl),
    away(reference.subscriptionUrl),
  ]
  await served.muster.call(
    'connections.save',
    connectionTo(reference, { tokenUrl, graphqlUrl, subscriptionUrl, ca: authority.ca }),
  )
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Enter name and password' }).click()
  const form = page.getByRole('form', { name: proxy.url.replace('http://', '') })
  await expect.poll(() => form.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  const give = async (password: string) => {
    await form.getByLabel('Name').fill('ann')
    await form.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
  }
  await give('wrong')
  await form.getByText('It rejected the stored name and password.').waitFor()
  await give('hunter2')
  await form.getByText('Its name and password are stored').waitFor()
  expect(await form.getByLabel('Password').inputValue()).toBe('')
  await page.getByText('A proxy asks for a name and password.').waitFor({ state: 'detached' })
  await whenRead(served.muster)
  expect(await page.content()).not.toContain('hunter2')
  const forget = async (word: string) => {
    await form.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: word }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  }
  await forget('Keep them')
  await form.getByText('Its name and password are stored').waitFor()
  await forget('Forget them')
  await form.getByText(/^It (asked|asks) for a name and password/u).waitFor()
  await expect.poll(() => form.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  await give('hunter2')
  await form.getByText('Its name and password are stored').waitFor()
})

browserTest('a locked keychain is reported, unlocked from the settings, and then stores typed secrets', async () => {
  const stored = new Map<string, string>()
  let locked = true
  const secrets = await openSecrets({
    profile: 'a test',
    clock: systemClock,
    platform: 'linux',
    isLocked: async () => (locked ? true : null),
    load: async () => ({
      getPassword: async (_service, account) => (locked ? null : (stored.get(account) ?? null)),
      setPassword: async (_service, account, secret) => {
        if (locked) throw new Error('it is locked')
        stored.set(account, secret)
      },
      deletePassword: async (_service, account) => stored.delete(account),
    }),
  })
  windows.leftovers.push(() => secrets.stop())
  const reference = await service(windows.leftovers, { devices: 20, tenants: 1 })
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers), { secrets })
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByText('This computer’s keychain is locked.').waitFor()
  await readFleet(served.muster, reference)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page
    .getByText(/^Secret Service is locked, or does not answer\. What is typed meanwhile is in memory/u)
    .waitFor()
  locked = false
  const unlock = page.getByRole('button', { name: 'Unlock' })
  await expect.poll(() => unlock.count()).toBe(2)
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Unlock' }).click()
  await page.getByText('In this computer’s keychain: Secret Service').waitFor()
  await page.getByText('This computer’s keychain is locked.').waitFor({ state: 'detached' })
  expect([...stored.values()]).toEqual([reference.clientSecret])
})
