import { beforeAll, expect } from 'vitest'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import { connectionTo, service, until } from '../support/fleet.ts'
import { jobsOf, reboot } from '../support/jobs-console.ts'
import { shows } from '../support/page-parts.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, targetOf } from '../support/postgres/team.ts'
import { openTeamWindow } from '../support/team-window.ts'
import { browserTest, useWindows } from '../support/window.ts'

const windows = useWindows()
const skip = noPostgres !== ''
const database = 'jobs'
let postgres: Postgres

beforeAll(async () => {
  if (skip) return
  postgres = await startPostgres((stop) => windows.shared.push(stop))
  await createRoles(postgres)
  await createDatabase(postgres, database)
}, 60_000)

/** Opens a Muster of the team, and its window once it began anew with the team's data. */
async function member(role: 'muster_owner' | 'berta', operator: string) {
  const muster = await openTeamWindow(windows)
  const { address } = targetOf(postgres, role, database)
  const anew = muster.page.waitForEvent('load')
  const typed = { address: teamAddressText(address), password: passwords[role], ca: '', operator }
  await muster.call('team.join', { typed, share: false })
  await anew
  await until(async () => expect((await muster.call('team.read', {})).joined?.isCatchingUp).toBe(false), 40_000)
  return muster
}

browserTest(
  `another member’s action is shown with its operator, and has no buttons${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const reference = await service(windows.leftovers, { devices: 40, tenants: 1, life: false })
    const anna = await member('muster_owner', 'Anna')
    const berta = await member('berta', 'Berta')
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
    for (const name of ['Pause', 'Continue', 'Stop'])
      expect(await ofBerta.detail.getByRole('button', { name, exact: true }).count()).toBe(0)
    expect(await berta.page.getByRole('button', { name: /waiting for you/u }).count()).toBe(0)

    const ofAnna = await partsIn(anna)
    expect(await ofAnna.row.textContent()).not.toContain('by Anna')
    await anna.page.getByRole('button', { name: '1 action waiting for you' }).waitFor()
    await ofAnna.stop.click()
    await shows(ofBerta.row, /Stopped/u)
  },
)
