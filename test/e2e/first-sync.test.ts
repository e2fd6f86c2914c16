import { expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { connectionTo, service, temporaryProfile } from '../support/fleet.ts'
import { serve, useWindows } from '../support/window.ts'
import { partsOf, shows, textOf } from '../support/page-parts.ts'

const windows = useWindows()

/** Answers the first requested tenant, one page of the second, and nothing of the third. Returns a function that answers all. */
function stallSecondTenant({ misfortune }: Service): () => void {
  const asked: string[] = []
  return misfortune.always('stall', {
    operationName: 'Devices',
    match: ({ variables }) => {
      const tenant = String(variables['tenant'])
      if (!asked.includes(tenant)) asked.push(tenant)
      const at = asked.indexOf(tenant)
      return at > 1 || (at === 1 && JSON.stringify(variables).includes('"nextToken":"'))
    },
  })
}

test('the first sync has a progress bar, and incomplete counts are marked until it ends', async () => {
  const reference = await service(windows.leftovers, { devices: 2_400, tenants: 3 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { tree, totals, choice } = partsOf(page)
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  const answerAll = stallSecondTenant(reference)
  await muster.call('connections.save', connectionTo(reference))

  const bar = page.getByRole('progressbar', { name: 'First sync' })
  await bar.waitFor()
  const tenants = tree.getByRole('treeitem', { name: /, tenant, / })
  const called = (words: RegExp) => tree.getByRole('treeitem', { name: new RegExp(`, tenant, ${words.source}`, 'u') })
  await expect.poll(() => tenants.count()).toBe(3)
  // Of the first tenant all is known, of the second so many at least, of the third nothing: no 0, and no figure that looks whole.
  const [whole, part, none] = [called(/[\d,]+ devices/u), called(/at least [\d,]+ devices/u), called(/not synced yet/u)]
  for (const [line, shown] of [
    [whole, / [\d,]+$/u],
    [part, / ≥ [\d,]+$/u],
    [none, / –$/u],
  ] as const) {
    await expect.poll(() => line.count()).toBe(1)
    await shows(line, shown)
  }
  expect(await textOf(whole)).not.toContain('≥')
  await shows(totals, /^At least [\d,]+ devices so far:/u)
  await shows(choice('All'), /^All ≥ [\d,]+$/u)
  // How many there are in all nobody has said yet: the bar has no end, and the sentence none either.
  await shows(
    page.getByRole('paragraph').filter({ hasText: 'First sync in progress' }),
    /^First sync in progress\. [\d,]+ devices so far\. Counts are incomplete until it ends\.$/u,
  )
  expect(await bar.getAttribute('value')).toBeNull()

  answerAll()
  await reference.misfortune.pause()
  await reference.misfortune.resume()
  await shows(totals, /^2,400 devices:/u, 40_000)
  await bar.waitFor({ state: 'detached' })
  await shows(choice('All'), 'All 2,400')
  await expect.poll(() => whole.count()).toBe(3)
  for (const text of await tenants.allInnerTexts()) expect(text).not.toMatch(/[≥–]/u)
})
