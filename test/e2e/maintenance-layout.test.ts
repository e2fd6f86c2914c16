import { useWindows } from '../support/window.ts'
import { maintenancePart, setup, toPart } from './maintenance-site.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

const windows = useWindows()

/** Nothing stands beyond the window's edge, and the page itself does not scroll. */
async function expectFits(page: Page): Promise<void> {
  expect(
    await page.evaluate(() => [
      document.documentElement.scrollWidth <= innerWidth,
      document.documentElement.scrollHeight <= innerHeight,
    ]),
  ).toEqual([true, true])
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('#settings-maintenance *, [role=dialog] *')]
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
      .map(({ className }) => String(className)),
  )
  expect(wide).toEqual([])
}

test.each([
  { viewport: { width: 1024, height: 700 }, deviceScaleFactor: 1, colorScheme: 'light' },
  { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, colorScheme: 'dark' },
] as const)(
  'maintenance lists, forms and marks are accessible, $viewport.width wide, $colorScheme',
  async (options) => {
    const { muster, site, open } = await setup(windows)
    const now = Date.now()
    const base = { node: site.id, nodeName: site.name, createdAt: now, until: null }
    await muster.call('maintenance.save', {
      ...base,
      id: 'a',
      name: 'Active',
      when: { kind: 'once', from: now, until: now + 3_600_000 },
      zone: 'Europe/Berlin',
    })
    await muster.call('maintenance.save', {
      ...base,
      id: 'b',
      name: 'A very long name of a maintenance window that says what is patched and by whom, and who is to be called',
      when: { kind: 'monthly', week: -1, day: 6, from: '02:00', ends: 'after', minutes: 90 },
      zone: 'America/Argentina/Buenos_Aires',
    })
    await muster.call('zones.set', { node: site.id, nodeName: site.name, zone: 'America/New_York' })
    const page = await open(options)
    await page
      .getByText(/120 devices/u)
      .first()
      .waitFor()
    await toPart(page)
    await maintenancePart(page).getByText('Active until').waitFor()
    await expectFits(page)
    await expectNoViolations(page, 'the maintenance windows')
    await page.getByRole('button', { name: /^Edit A very long/u }).click()
    const form = page.getByRole('dialog', { name: 'Change the maintenance window' })
    await form.getByRole('textbox', { name: 'Starts at' }).fill('9')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('A time looks like 18:00.').waitFor()
    await expectFits(page)
    await expectNoViolations(page, 'the form with a fault', '[role=dialog]')
    await form.getByRole('radio', { name: 'Every week' }).check({ force: true })
    await form.getByRole('combobox', { name: 'Place' }).focus()
    // The focus scrolls the form, and a list closes when what is below it scrolls.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await page.keyboard.press('ArrowDown')
    await page.locator('[role=option]').first().waitFor()
    // A second key: the list stays open while what was asked for comes in.
    await page.keyboard.press('ArrowDown')
    await expect
      .poll(
        async () =>
          (await page.locator('[role=option][aria-selected=true]').count()) +
          (await page.locator('[role=option][data-focused]').count()),
      )
      .toBeGreaterThan(0)
    await expectNoViolations(page, 'the list of places', '[role=listbox]')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('[role=option]').count()).toBe(0)
    await expectNoViolations(page, 'the weekly form', '[role=dialog]')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: `Time zone of ${site.name}` }).click()
    await page.getByRole('dialog', { name: `Time zone of ${site.name}` }).waitFor()
    await expectNoViolations(page, 'the time zone', '[role=dialog]')
    await page.keyboard.press('Escape')
  },
)
