import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { expect } from 'vitest'

/** Expects axe to find nothing. `within`: a selector of the part that is looked at; without it the whole page. */
export async function expectNoViolations(page: Page, view: string, within?: string): Promise<void> {
  const axe = new AxeBuilder({ page })
  const { violations, passes } = await (within === undefined ? axe : axe.include(within)).analyze()
  expect(passes.length, `rules that applied to ${view}`).toBeGreaterThan(5)
  expect(
    violations.map(({ id, help, nodes }) => ({
      id,
      help,
      at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
    })),
    `axe on ${view}`,
  ).toEqual([])
}
