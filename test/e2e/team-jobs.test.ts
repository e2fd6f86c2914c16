import { expect } from 'vitest'
import { connectionTo, service, until } from '../support/fleet.ts'
import { jobsOf, reboot } from '../support/jobs-console.ts'
import { shows } from '../support/page-parts.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { joinTeam, openTeamWindow } from '../support/team-window.ts'
import { browserTest, useWindows } from '../support/window.ts'

const windows = useWindows()
const { skip, makeTeam, forgetSeen } = useTeamDatabases('jobs')

browserTest(
  `another member’s action is its own, until that one is gone${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const reference = await service(windows.leftovers, { devices: 40, tenants: 1, life: false })
    const team = await makeTeam()
    const member = async (operator: 'Anna' | 'Berta') => {
      const muster = await openTeamWindow(windows)
      await joinTeam(muster, team, operator)
      return muster
    }
    const anna = await member('Anna')
    const berta = await member('Berta')
    await anna.call('connections.save', connectionTo(reference))
    const jobs = jobsOf(anna)
    const keys = await until(async () => {
      const found = (await jobs.keys()).keys
      expect(found.length).toBeGreaterThan(2)
      return found.slice(0, 2)
    }, 40_000)
    const id = await jobs.start(reboot(keys), { batch: 1 })
    await until(async () => expect((await jobs.shown(id))?.counts.sent).toBe(1))
    await anna.call('jobs.control', { job: id, command: 'pause' })

    const partsIn = async ({ page }: typeof anna) => {
      await page.getByRole('button', { name: 'Actions', exact: true }).first().click()
      const row = page.getByRole('listbox', { name: 'Actions' }).getByRole('option').first()
      await shows(row, /Paused/u, 40_000)
      await row.click()
      const detail = page.getByRole('region', { name: 'Action', exact: true })
      return { row, detail, stop: detail.getByRole('button', { name: 'Stop' }) }
    }
    const ofBerta = await partsIn(berta)
    await shows(ofBerta.row, /, by Anna/u)
    await shows(ofBerta.detail, /, by Anna/u)
    for (const name of ['Pause', 'Continue', 'Stop', 'Take over'])
      expect(await ofBerta.detail.getByRole('button', { name, exact: true }).count()).toBe(0)
    expect(await berta.page.getByRole('button', { name: /waiting for you/u }).count()).toBe(0)

    const ofAnna = await partsIn(anna)
    expect(await ofAnna.row.textContent()).not.toContain('by Anna')
    await anna.page.getByRole('button', { name: '1 action waiting for you' }).waitFor()

    await anna.kill()
    await forgetSeen('muster_owner', team.database)
    const takeOver = ofBerta.detail.getByRole('button', { name: 'Take over' })
    await takeOver.waitFor({ timeout: 60_000 })
    await shows(ofBerta.detail.getByRole('status'), /Anna.?’s Muster was not seen for over ten minutes/u)
    await takeOver.press('Enter')
    await ofBerta.stop.waitFor()
    expect(await ofBerta.row.textContent()).not.toContain('by Anna')
    await berta.page.getByRole('button', { name: '1 action waiting for you' }).waitFor()
    await ofBerta.stop.press('Enter')
    await shows(ofBerta.row, /Stopped/u)
  },
)
