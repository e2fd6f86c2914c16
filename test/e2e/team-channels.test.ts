import { expect } from 'vitest'
import { expectNoViolations } from '../support/accessibility.ts'
import { webhookChannel } from '../support/channels.ts'
import { connectionTo, service, until } from '../support/fleet.ts'
import { all, screenOf, siteOf } from '../support/incident-screen.ts'
import { shows, tabTo } from '../support/page-parts.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { startReceiver } from '../support/receivers.ts'
import { joinTeam, openTeamWindow, type TeamWindow } from '../support/team-window.ts'
import { browserTest, useWindows } from '../support/window.ts'

const windows = useWindows()
const { skip, makeTeam } = useTeamDatabases('channels')

const partsOf = ({ page }: TeamWindow) => {
  const section = page.getByRole('region', { name: 'Channels' })
  return {
    section,
    line: section.getByRole('list', { name: 'Channels', exact: true }).getByRole('listitem'),
    dialog: page.getByRole('dialog', { name: 'Edit the channel' }),
    open: async () => {
      await page.getByRole('button', { name: 'Settings', exact: true }).click()
      await section.scrollIntoViewIfNeeded()
    },
  }
}

browserTest(
  `who sends a channel of the team is shown, and when nobody can${noPostgres}`,
  { skip, timeout: 240_000 },
  async () => {
    const team = await makeTeam()
    const reference = await service(windows.leftovers, { devices: 120, tenants: 1 })
    const hook = await startReceiver(windows.leftovers, '/services/hidden-path')
    const [anna, berta] = [await openTeamWindow(windows), await openTeamWindow(windows)]
    await anna.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 0 })
    await anna.call('connections.save', connectionTo(reference))
    await joinTeam(anna, team, 'Anna')
    await joinTeam(berta, team, 'Berta')
    await until(async () => expect((await anna.call('app.state', {})).totals.connected).toBeGreaterThan(50), 40_000)
    const channel = webhookChannel({ name: 'Night shift', format: 'slack' })
    await berta.call('channels.save', { channel, secret: { address: hook.address } })

    const [ofAnna, ofBerta] = [partsOf(anna), partsOf(berta)]
    await ofAnna.open()
    await ofBerta.open()
    await shows(ofBerta.line, /Sent from here\./u, 20_000)
    await shows(ofAnna.line, /Sent from \W?Berta\W?’s Muster\./u, 20_000)
    await ofAnna.section.getByText('Shared with the team').waitFor()
    // What it is told can be changed without its address.
    await ofAnna.section.getByRole('button', { name: 'Edit Night shift' }).press('Enter')
    await ofAnna.dialog.getByText(/^Not known here\. Leave it empty to keep it/u).waitFor()
    await expectNoViolations(anna.page, 'a channel whose secret another member has', '.modal')
    await anna.page.keyboard.press('ControlOrMeta+A')
    await anna.page.keyboard.type('Night watch')
    await tabTo(anna.page, 'Save')
    await anna.page.keyboard.press('Enter')
    await ofAnna.dialog.waitFor({ state: 'detached' })
    for (const { line } of [ofAnna, ofBerta]) await shows(line, /^Night watch/u)

    await berta.kill()
    await shows(ofAnna.line, /Nobody sends: no member of the team that has its secret is here\./u, 40_000)
    await expectNoViolations(anna.page, 'a channel that nobody sends', '#settings')
    const site = siteOf(reference)
    all(reference.world, site.ids, false)
    const { rail, rows, pane } = screenOf(anna.page)
    await rail.click()
    await rows.first().click()
    const nobody = 'No member of the team that has the secret of this channel is here now.'
    await pane.getByText(nobody).first().waitFor()
    await anna.page.getByText(`Night watch: ${nobody}`).waitFor()
    await ofAnna.open()
    await ofAnna.section.getByRole('button', { name: 'Edit Night watch' }).press('Enter')
    await ofAnna.dialog.getByLabel('Address').fill(hook.address)
    await ofAnna.dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await shows(ofAnna.line, /Sent from here\./u, 20_000)
    await until(() => expect(hook.received.length).toBeGreaterThan(0))
    await anna.page.getByText(`Night watch: ${nobody}`).waitFor({ state: 'detached', timeout: 30_000 })
    expect(await anna.page.content()).not.toContain('hidden-path')
  },
)
