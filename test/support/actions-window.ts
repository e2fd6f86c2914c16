import { expect } from 'vitest'
import type { Page } from 'playwright'
import { partsOf } from './page-parts.ts'
import type { OpenOptions, Served, Windows } from './window.ts'

/** The lock in the title bar. */
export const lockOf = (page: Page) => page.getByRole('button', { name: /^(?:Read-only|Armed: )/u })

/** Opens the window with all devices listed and all tenants locked. */
export async function openLocked(windows: Windows, served: Served, options: OpenOptions = {}): Promise<Page> {
  await served.muster.call('actions.lock', {})
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await partsOf(page).choice('All').click()
  await partsOf(page).rows.first().waitFor()
  await page.getByRole('button', { name: /^Read-only/u }).waitFor()
  return page
}

/** Arms the first tenant by the lock. */
export async function arm(page: Page): Promise<void> {
  await lockOf(page).click()
  await page.getByRole('button', { name: /^Arm /u }).first().click()
  await confirmArming(page)
  await page.getByRole('button', { name: /^Armed: /u }).waitFor()
}

export const confirmArming = (page: Page) =>
  page
    .getByRole('alertdialog', { name: /^Arm /u })
    .getByRole('button', { name: /^Arm for \d+ minutes$/u })
    .click()

/** Opens the menu of the first row that is online, and takes an action. Returns the device's name. */
export async function askOfRow(page: Page, action: string): Promise<string> {
  const { choice, rows, table } = partsOf(page)
  await choice('Online').click()
  await expect.poll(() => rows.first().getByRole('gridcell').first().innerText()).toBe('online')
  const name = await rows.first().getByRole('gridcell').nth(1).innerText()
  await rows.first().click()
  await table.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: action }).click()
  return name
}

/** Shows the job of the message about the last action. Returns its detail. */
export async function showJob(page: Page) {
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const detail = page.getByRole('region', { name: 'Action', exact: true })
  await detail.waitFor()
  return detail
}
