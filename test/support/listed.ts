import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Served, Windows } from './window.ts'
import { partsOf } from './page-parts.ts'

/** A window on the inventory, its first rows there. */
export async function openRows({ open }: Windows, { server, muster }: Served) {
  const page = await open(server.newUrl(), { log: muster.log })
  const parts = partsOf(page)
  await parts.rows.first().waitFor()
  return { page, ...parts }
}

/** The table comes to list as many devices. */
export const listed = (page: Page, count: number) =>
  expect.poll(() => partsOf(page).table.getAttribute('aria-rowcount')).toBe(String(count + 1))
