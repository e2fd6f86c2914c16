import { expect, test } from 'vitest'
import { until } from '../support/fleet.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { all, incidentScreen, siteOf, whenOpen } from '../support/incident-screen.ts'
import { useWindows } from '../support/window.ts'
import { shows, textOf } from '../support/page-parts.ts'

const windows = useWindows()
const { setup, openScreen } = incidentScreen(windows)

test('after an acknowledgement keys act on the incident that the detail still shows', async () => {
  const fleet = await setup()
  const { world } = fleet.reference
  const bySite = Map.groupBy(
    world.devices().filter(({ connected, site }) => connected === true && site !== null),
    ({ site }) => site?.id,
  )
  const loners = [...bySite.values()].flatMap((devices) => devices.slice(0, 1)).slice(0, 2)
  const { page, list, rows, pane, dialog } = await openScreen(fleet)
  const { keyboard } = page
  for (const [index, { id }] of loners.entries()) {
    world.setConnected(id, false)
    await whenOpen(fleet.muster, index + 1)
  }
  await expect.poll(() => rows.count()).toBe(2)
  await rows.first().click()
  const title = await textOf(pane.getByRole('heading', { level: 2 }))
  await list.focus()
  await keyboard.press('a')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('On it')
  await keyboard.press('Enter')
  await page.getByText('Acknowledged 1 incident.').waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  expect([await list.getAttribute('aria-activedescendant'), await rows.first().getAttribute('aria-selected')]).toEqual([
    null,
    'false',
  ])
  await list.focus()
  await keyboard.press('s')
  await dialog.getByText(title).waitFor()
  await keyboard.press('Escape')
  await list.focus()
  await keyboard.press('ArrowDown')
  await expect.poll(() => textOf(pane.getByRole('heading', { level: 2 }))).not.toBe(title)
  expect(await rows.first().getAttribute('aria-selected')).toBe('true')
})

test('the bell has one line for an incident, which expands to its earlier notifications', async () => {
  const fleet = await setup()
  const site = siteOf(fleet.reference)
  const { page, rows } = await openScreen(fleet)
  all(fleet.reference.world, site.ids, false)
  await shows(rows.first(), new RegExp(`^Critical .*${site.name}`, 'u'), 40_000)
  await until(
    async () => expect((await fleet.muster.call('app.state', {})).notifications.recent.length).toBeGreaterThan(0),
    40_000,
  )
  all(fleet.reference.world, site.ids, true)
  await page.getByText('No open incidents.').waitFor({ timeout: 40_000 })
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/u })
    .click()
  const line = page
    .getByRole('list', { name: 'Recent notifications' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Recovered/u }) })
    .first()
  await shows(line, /^Recovered/u, 40_000)
  await line.getByRole('button', { name: /^[2-9] notifications/u }).click()
  await shows(line.getByRole('list', { name: 'Earlier notifications' }), /^Offline/u)
  await expectNoViolations(page, 'the bell')
})

test('devices offline before Muster first saw them are long-standing and can be opened', async () => {
  const fleet = await setup()
  const {
    total,
    rows: [first],
  } = await fleet.muster.call('incidents.longStanding', { offset: 0, limit: 1 })
  expect(total).toBe(fleet.reference.world.devices().filter(({ connected }) => connected === false).length)
  const { page } = await openScreen(fleet)
  const part = page.getByRole('region', { name: 'Long-standing' })
  await part.getByRole('button', { name: `Long-standing ${total}` }).click()
  const lines = part.getByRole('list', { name: 'Long-standing devices' }).getByRole('listitem')
  await expect.poll(() => lines.count()).toBe(Math.min(25, total))
  await shows(lines.first(), new RegExp(`${first?.tenant} · `, 'u'))
  await expectNoViolations(page, 'the long-standing devices')
  await lines.first().getByRole('button').click()
  await shows(
    page.getByRole('region', { name: 'Device', exact: true }),
    new RegExp(first?.name.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&') ?? 'no device', 'u'),
  )
})
