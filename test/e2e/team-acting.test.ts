import { expect } from 'vitest'
import type { Page } from 'playwright'
import { expectNoViolations } from '../support/accessibility.ts'
import { connectionTo, service, until } from '../support/fleet.ts'
import { all, screenOf, siteOf } from '../support/incident-screen.ts'
import { focused, shows, tabTo } from '../support/page-parts.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { joinTeam, openTeamWindow } from '../support/team-window.ts'
import { browserTest, useWindows } from '../support/window.ts'

const windows = useWindows()
const { skip, makeTeam } = useTeamDatabases('acting')

const partsOf = (page: Page) => ({
  ...screenOf(page),
  question: page.getByRole('alertdialog'),
  others: page.getByRole('dialog').locator('.others'),
  toList: async () => {
    await screenOf(page).rail.click()
    await screenOf(page).list.focus()
    await page.keyboard.press('ArrowDown')
  },
})

/** Anna, who reads the service, and Berta; both have the incident of a site in their lists. */
async function setup() {
  const team = await makeTeam()
  const reference = await service(windows.leftovers, { devices: 120, tenants: 1 })
  const [anna, berta] = [await openTeamWindow(windows), await openTeamWindow(windows)]
  await anna.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 1 })
  await anna.call('connections.save', connectionTo(reference))
  await joinTeam(anna, team, 'Anna')
  await joinTeam(berta, team, 'Berta')
  await until(async () => expect((await anna.call('app.state', {})).totals.connected).toBeGreaterThan(50), 40_000)
  const site = siteOf(reference)
  all(reference.world, site.ids, false)
  const [ofAnna, ofBerta] = [partsOf(anna.page), partsOf(berta.page)]
  for (const { rail, rows } of [ofAnna, ofBerta]) {
    await rail.click()
    await shows(rows.first(), new RegExp(`^Critical .*${site.name}`, 'u'), 40_000)
  }
  const [incident] = (await anna.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 1 })).rows
  return { anna, berta, ofAnna, ofBerta, id: incident?.id ?? '' }
}

browserTest(
  `one takes an incident, the other sees it and is told before acting${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { anna, berta, ofAnna, ofBerta, id } = await setup()
    await ofAnna.toList()
    await anna.page.keyboard.press('Enter')
    await ofBerta.toList()
    await berta.page.keyboard.press('Enter')
    const lookers = (page: Page) => page.locator('.incident-looking')
    await shows(lookers(berta.page), 'Anna is looking at this incident.')
    await shows(lookers(anna.page), 'Berta is looking at this incident.')

    await anna.page.keyboard.press('t')
    await anna.page.getByText('Took 1 incident.').waitFor()
    await shows(ofBerta.rows.first(), /Taken by Anna/u)
    await shows(ofAnna.rows.first(), /Taken by you/u)
    await shows(ofBerta.pane, /Assigned Taken by Anna, \d/u)

    await berta.page.keyboard.press('a')
    await shows(ofBerta.others, /^Anna is looking at this incident\. Taken by Anna, (?:just now|\d+ s ago)\.$/u)
    await expectNoViolations(berta.page, 'acknowledge what another one has taken', '.modal')
    await anna.call('incidents.acknowledge', { ids: [id], reason: 'On my way' })
    await shows(ofBerta.others, /Anna acknowledged it (?:just now|\d+ s ago): On my way$/u)
    await berta.page.keyboard.type('Ticket 7')
    await berta.page.keyboard.press('Enter')
    await ofBerta.dialog.waitFor({ state: 'detached' })
    await shows(ofAnna.pane, /Acknowledged Ticket 7, .*by Berta/u)
  },
)

browserTest(
  `what another one has taken is taken over, assigned and given back${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { anna, berta, ofAnna, ofBerta, id } = await setup()
    await anna.call('incidents.assign', { ids: [id], to: 'Anna' })
    await shows(ofBerta.rows.first(), /Taken by Anna/u)
    await ofBerta.toList()
    await berta.page.keyboard.press('t')
    await shows(ofBerta.question, /^Take it over\? .*Taken by Anna, .* Cancel Take$/u)
    await expect.poll(() => focused(berta.page)).toBe('Cancel')
    await expectNoViolations(berta.page, 'the question before it is taken over', '.modal')
    await berta.page.keyboard.press('Escape')
    await ofBerta.question.waitFor({ state: 'detached' })
    await shows(ofBerta.rows.first(), /Taken by Anna/u)
    await berta.page.keyboard.press('t')
    await ofBerta.question.waitFor()
    await tabTo(berta.page, 'Take')
    await berta.page.keyboard.press('Enter')
    await shows(ofBerta.rows.first(), /Taken by you/u)
    await shows(ofAnna.rows.first(), /Taken by Berta/u)

    await ofBerta.list.focus()
    await berta.page.keyboard.press('Enter')
    await ofBerta.act('Assign to…').press('Enter')
    const choice = ofBerta.dialog.getByRole('radio')
    await expect
      .poll(() => choice.evaluateAll((all) => all.map((one) => one.closest('label')?.innerText)))
      .toHaveLength(2)
    await expectNoViolations(berta.page, 'whom it is assigned to', '.modal')
    await berta.page.keyboard.press('Space')
    await expect.poll(() => ofBerta.dialog.getByRole('radio', { name: /^Anna/u }).isChecked()).toBe(true)
    await berta.page.keyboard.press('Enter')
    await berta.page.getByText('Assigned 1 incident to Anna.').waitFor()
    await shows(ofAnna.rows.first(), /Taken by you/u)

    await ofAnna.toList()
    await anna.page.keyboard.press('Enter')
    await ofAnna.act('Give back').press('Enter')
    await anna.page.getByText('Gave back 1 incident.').waitFor()
    await expect.poll(() => ofBerta.rows.first().innerText()).not.toContain('Taken')
    await expect.poll(() => ofBerta.act('Give back').count()).toBe(0)
  },
)
