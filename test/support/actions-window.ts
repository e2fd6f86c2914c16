import { expect } from 'vitest'
import type { Locator, Page } from 'playwright'
import type { Service } from '../../src-service/service.ts'
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

/** Selects all rows of a filter, and takes an action on them. Returns its dialog. */
export async function askOfFiltered(page: Page, { filter: text, count, action }: Asked): Promise<Locator> {
  const { choice, filter, table, rows } = partsOf(page)
  await choice('All').click()
  await filter.fill(text)
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(count + 1))
  await rows.first().click()
  await table.focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('region', { name: 'Selected devices' }).getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
  return page.getByRole('dialog', { name: `${action.replace('…', '')} ${count} devices` })
}

interface Asked {
  filter: string
  /** How many devices it finds. */
  count: number
  action: string
}

/** Arms all tenants, past the window. */
export async function armAll(muster: Served['muster']): Promise<void> {
  const { tenants } = await muster.call('actions.state', {})
  for (const { tenant } of tenants) await muster.call('actions.arm', { tenant })
}

/** The detail of a job, and its devices with their outcomes. */
export function jobParts(page: Page) {
  const detail = page.getByRole('region', { name: 'Action', exact: true })
  return {
    detail,
    state: detail.locator('p').and(detail.getByRole('status')),
    press: (name: string) => detail.getByRole('button', { name, exact: true }).click(),
    outcomeOf: (name: string) =>
      detail
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name, exact: true }) })
        .getByRole('cell')
        .last(),
  }
}

/** How many orders to reboot a device have reached the service. */
export const rebootsSent = (reference: Service) =>
  reference.operations().filter(({ operationName }) => operationName === 'Reboot').length
