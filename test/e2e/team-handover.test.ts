import { expect } from 'vitest'
import { expectNoViolations } from '../support/accessibility.ts'
import { connectionTo, service, until } from '../support/fleet.ts'
import { screenOf } from '../support/incident-screen.ts'
import { shows, tabTo } from '../support/page-parts.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { joinTeam, openTeamWindow, type TeamWindow } from '../support/team-window.ts'
import { browserTest, useWindows } from '../support/window.ts'

const windows = useWindows()
const { skip, makeTeam } = useTeamDatabases('handover')

browserTest(
  `a shift is handed over, read and accepted in two windows${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const team = await makeTeam()
    const reference = await service(windows.leftovers, { devices: 120, tenants: 1 })
    const [anna, berta] = [await openTeamWindow(windows), await openTeamWindow(windows)]
    await anna.call('connections.save', connectionTo(reference))
    await joinTeam(anna, team, 'Anna')
    await joinTeam(berta, team, 'Berta')
    await until(async () => {
      const { joined } = await anna.call('team.read', {})
      expect(joined?.members.map(({ operator }) => operator).toSorted()).toEqual(['Anna', 'Berta'])
    }, 40_000)
    for (const { page } of [anna, berta]) await screenOf(page).rail.click()
    const handovers = (of: TeamWindow) => of.page.getByRole('dialog', { name: /^Shift handover/u })

    await anna.page.getByRole('button', { name: 'Shift handover' }).press('Enter')
    const give = handovers(anna)
    await give.getByRole('radio', { name: 'Berta' }).focus()
    await anna.page.keyboard.press('Space')
    await tabTo(anna.page, 'Note (optional)')
    await anna.page.keyboard.type('Watch the hall')
    await expectNoViolations(anna.page, 'whom a shift is handed over to', '.modal')
    await give.getByRole('button', { name: 'Hand over' }).press('Enter')
    await anna.page.getByText('Handed over to Berta.').waitFor()

    const notice = berta.page.locator('.handover-notice')
    await shows(notice, /^Anna hands over to you, \d\d:\d\d Read$/u)
    await expectNoViolations(berta.page, 'a handover that waits')
    await notice.getByRole('button', { name: 'Read' }).press('Enter')
    const read = handovers(berta)
    await shows(read, /^Shift handover: Anna to you, \d\d:\d\d .*not accepted yet\. Watch the hall Shift handover, /u)
    await expectNoViolations(berta.page, 'a handover that is read', '.modal')

    await anna.page.getByRole('button', { name: 'Shift handover' }).press('Enter')
    const last = give.getByRole('listitem')
    await shows(last, /^You to Berta, \d\d:\d\d not accepted yet Read$/u)
    await read.getByRole('button', { name: 'Accept' }).press('Enter')
    await berta.page.getByText('Accepted the handover: Anna to you.').waitFor()
    await shows(last, /^You to Berta, \d\d:\d\d accepted at \d\d:\d\d Read$/u)
    await expectNoViolations(anna.page, 'the last handovers', '.modal')
    await expect.poll(() => notice.innerText()).toBe('')
    await last.getByRole('button', { name: /^Read/u }).press('Enter')
    await shows(
      handovers(anna),
      /^Shift handover: You to Berta, .* accepted at \d\d:\d\d\. Watch the hall Shift handover, /u,
    )
    expect(await handovers(anna).getByRole('button', { name: 'Accept' }).count()).toBe(0)
    await anna.page.keyboard.press('Escape')
    await handovers(anna).waitFor({ state: 'detached' })
  },
)
