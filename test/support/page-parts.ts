import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'

/** The parts of the window, by what they are to a person and to a screen reader. */
export function partsOf(page: Page) {
  const table = page.getByRole('grid', { name: 'Devices' })
  const tree = page.getByRole('tree')
  const detail = page.getByRole('region', { name: 'Device', exact: true })
  return {
    table,
    tree,
    detail,
    /** The sentence of totals. */
    totals: page.getByRole('heading', { level: 1 }),
    filter: page.getByRole('combobox', { name: 'Filter devices' }),
    status: page.getByRole('contentinfo', { name: 'Status' }),
    rows: table.getByRole('row').filter({ has: page.getByRole('gridcell') }),
    row: (name: string) => table.getByRole('row').filter({ has: page.getByRole('gridcell', { name, exact: true }) }),
    head: (name: string) =>
      table.getByRole('columnheader').filter({ has: page.getByRole('button', { name, exact: true }) }),
    node: (name: string | RegExp) => tree.getByRole('treeitem', { name }),
    /** Which devices are listed: Offline, All, Online, Offline, Unknown. */
    choice: (word: string) => page.getByRole('radio', { name: new RegExp(`^${word}`, 'u') }),
    field: (name: string) =>
      detail
        .locator('div')
        .filter({ has: page.getByRole('term').and(page.getByText(name, { exact: true })) })
        .last()
        .getByRole('definition'),
  }
}

/** Every column of Muster's own but the id, for what is about more of them than a new operator sees. */
export const elevenColumns = (
  [
    'status',
    'name',
    'since',
    'seenAt',
    'hardwareModel',
    'room',
    'site',
    'tenant',
    'region',
    'lastDetected',
    'lastConfigRequestDate',
  ] as const
).map((id) => ({ id, width: null }))

/** Takes this choice of the refresh that was called up: it has the focus as soon as its cost is known. */
export async function takeRefresh(page: Page, name: string): Promise<void> {
  const choice = page.getByRole('dialog', { name: 'Refresh' }).getByRole('button', { name, exact: true })
  await expect.poll(() => choice.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
}

/** The accessible name of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement
    const label =
      at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement ? at.labels?.[0]?.textContent : null
    return at?.getAttribute('aria-label') ?? label ?? at?.textContent ?? ''
  })
}

/** Presses Tab until what is called so has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    if (typeof name === 'string' ? at === name : name.test(at)) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

/** Its text, on one line. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.innerText()).replaceAll(/\s+/gu, ' ').trim()
}

/** Waits until this stands there. */
export async function shows(locator: Locator, text: string | RegExp, timeout = 15_000): Promise<void> {
  const poll = expect.poll(() => textOf(locator), { timeout, interval: 20 })
  await (typeof text === 'string' ? poll.toBe(text) : poll.toMatch(text))
}

/** Texts of one column of the rows in the document, from the first one on; of a time, the time itself (`datetime`). */
export async function columnOf(page: Page, head: string, of: 'text' | 'datetime' = 'text'): Promise<string[]> {
  const { table, rows } = partsOf(page)
  const heads = await table.getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((text) => text.trim() === head)
  if (at === -1) throw new Error(`there is no column ${head} among ${heads.join(', ')}`)
  return rows.evaluateAll(
    (elements, [index, wanted]) =>
      elements
        .toSorted(
          (one, other) => Number(one.getAttribute('aria-rowindex')) - Number(other.getAttribute('aria-rowindex')),
        )
        .map((row) => row.querySelectorAll('[role=gridcell]')[index])
        .map((cell) => (wanted === 'text' ? cell?.textContent : cell?.querySelector('time')?.dateTime) ?? ''),
    [at, of] as const,
  )
}
