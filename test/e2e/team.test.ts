import { beforeAll, expect } from 'vitest'
import type { Page } from 'playwright'
import type { Service } from '../../src-service/service.ts'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { connectionTo, service, until } from '../support/fleet.ts'
import { all, screenOf, siteOf } from '../support/incident-screen.ts'
import { focused, partsOf, shows, tabTo } from '../support/page-parts.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, targetOf, type Role } from '../support/postgres/team.ts'
import { goToTeam, openTeamWindow, teamParts, typeInto, type TeamWindow } from '../support/team-window.ts'
import { browserTest, useWindows } from '../support/window.ts'

const windows = useWindows()
const skip = noPostgres !== ''
let postgres: Postgres

beforeAll(async () => {
  if (skip) return
  postgres = await startPostgres((stop) => windows.shared.push(stop))
  await createRoles(postgres)
}, 60_000)

const addressOf = (role: Role, database: string) => teamAddressText(targetOf(postgres, role, database).address)
const screen = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('button', { name: new RegExp(`^${name}`, 'u') })
    .click()

/** A Muster with a connection of its own, that has read all of it. Drops are incidents at once. */
async function openOwner(reference: Service): Promise<TeamWindow> {
  const owner = await openTeamWindow(windows)
  await owner.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 1 })
  await owner.call('connections.save', connectionTo(reference))
  return owner
}

/** Joins by the dialog, and waits until the window began anew with the team's data. */
async function joinAs({ page }: TeamWindow, role: 'muster_owner' | 'berta', database: string, name: string) {
  const { join, section, state } = teamParts(page)
  await goToTeam(page)
  await tabTo(page, 'Join a team')
  await page.keyboard.press('Enter')
  await join.waitFor()
  await page.keyboard.type(addressOf(role, database))
  await typeInto(page, 'Password', passwords[role])
  await typeInto(page, 'Your name', name)
  await page.keyboard.press('Enter')
  await join.waitFor({ state: 'detached', timeout: 30_000 })
  await shows(state, 'Online', 30_000)
  await section.getByText('this Muster', { exact: true }).waitFor()
}

browserTest(
  `a team is joined by the keyboard; wrong fields and a wrong password are told${noPostgres}`,
  { skip },
  async () => {
    await createDatabase(postgres, 'joining')
    const { page, call } = await openTeamWindow(windows)
    const { join, state, member } = teamParts(page)
    await goToTeam(page)
    await tabTo(page, 'Join a team')
    await page.keyboard.press('Enter')
    await join.waitFor()
    await expect.poll(() => focused(page)).toBe('Address')
    await page.keyboard.press('Enter')
    await join.getByText('Enter the address.').waitFor()
    await join.getByText('Enter your name.').waitFor()
    await page.keyboard.type('postgresql://anna:her-password@127.0.0.1/muster')
    await typeInto(page, 'Your name', 'Anna')
    await page.keyboard.press('Enter')
    await join.getByText('Leave out the password; it has its own field.').waitFor()
    await expect.poll(() => focused(page)).toBe('Address')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(addressOf('muster_owner', 'joining'))
    await typeInto(page, 'Password', 'a wrong one')
    await tabTo(page, 'Test')
    await page.keyboard.press('Enter')
    await join.getByText('Failed at: Sign-in. Not saved.').waitFor()
    const rejected = join.getByText('The database rejected this role and password.')
    await rejected.waitFor()
    await expectNoViolations(page, 'the failed test of a team', '.modal')
    await tabTo(page, 'Join')
    await page.keyboard.press('Enter')
    await join.getByRole('alert').and(join.locator(':has-text("rejected this role")')).waitFor()
    await join.getByText('The password was not saved. Enter it again.').waitFor()
    expect(await call('team.read', {})).toEqual({ joined: null })

    await typeInto(page, 'Password', passwords.muster_owner)
    await tabTo(page, 'Test')
    await page.keyboard.press('Enter')
    await join.getByText('Passed, not saved.').waitFor()
    await tabTo(page, 'Join')
    await page.keyboard.press('Enter')
    await join.waitFor({ state: 'detached', timeout: 30_000 })
    await shows(state, 'Online', 30_000)
    await shows(member('Anna'), /^Anna ?this Muster muster_owner \S+ Here now$/u)
    // The window began anew, and is where it was.
    await expect.poll(() => focused(page)).toBe('Team')
    await expectNoViolations(page, 'the team that was joined', '#settings-team')
    expect(await page.content()).not.toContain(passwords.muster_owner)
  },
)

browserTest(
  `two windows see the same; the second takes over from a killed one, and leaves${noPostgres}`,
  { skip, timeout: 240_000 },
  async () => {
    await createDatabase(postgres, 'windows')
    const reference = await service(windows.leftovers, { devices: 120, tenants: 1 })
    const anna = await openOwner(reference)
    await joinAs(anna, 'muster_owner', 'windows', 'Anna')
    await shows(teamParts(anna.page).reader('Acme'), 'This Muster', 30_000)
    const berta = await openTeamWindow(windows)
    await joinAs(berta, 'berta', 'windows', 'Berta')
    const { section, state, member, reader, leave } = teamParts(berta.page)
    await shows(reader('Acme'), /^\W?Anna\W?’s Muster$/u)
    await shows(member('Anna'), /Here now$/u)
    await showsWhoReads(berta.page)
    await pauseForAll(anna, berta)
    await screen(berta.page, 'Inventory')
    await shows(partsOf(berta.page).totals, totalsOf(reference), 30_000)

    const site = siteOf(reference)
    all(reference.world, site.ids, false)
    await acknowledgeInBoth(site.name, anna, berta)
    await enterSecret(berta.page, reference)
    await until(async () => {
      const [connection] = (await berta.call('app.state', {})).connections
      expect([connection?.secret, connection?.readBy]).toEqual(['session', 'Anna'])
    })
    await runsHere(berta.page)
    await anna.kill()
    await until(async () => {
      const [connection] = (await berta.call('app.state', {})).connections
      expect([connection?.link.state, connection?.readBy]).toEqual(['live', undefined])
    }, 40_000)
    await shows(berta.page.getByRole('region', { name: 'Connection', exact: true }).getByText('Live').first(), 'Live')
    await goToTeam(berta.page)
    await shows(reader('Acme'), 'This Muster')
    // She is away once she was not seen for a while, which may take longer than the takeover.
    await shows(member('Anna'), /(?:ago|just now)$/u, 40_000)
    all(reference.world, site.ids, true)
    await screen(berta.page, 'Inventory')
    await shows(partsOf(berta.page).totals, totalsOf(reference))

    await goToTeam(berta.page)
    await tabTo(berta.page, 'Leave team')
    await berta.page.keyboard.press('Enter')
    await leave.waitFor()
    await expect.poll(() => focused(berta.page)).toBe('Stay')
    await tabTo(berta.page, 'Leave team')
    await berta.page.keyboard.press('Enter')
    await section.getByRole('button', { name: 'Join a team' }).waitFor({ timeout: 30_000 })
    expect((await berta.call('app.state', {})).connections).toEqual([])
    expect(await state.count()).toBe(0)
  },
)

/** The sentence of the inventory about the service's devices as they are. */
function totalsOf({ world }: Service): string {
  const { online, offline, staged } = world.totals()
  return `${online + offline + staged} devices: ${online} online, ${offline} offline, ${staged} unknown`
}

/** With its secret, queries run here too while another one reads the connection. */
async function runsHere(page: Page): Promise<void> {
  await screen(page, 'Query')
  await page.getByText('This connection is read by').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Run', exact: true }).press('Enter')
  await shows(page.getByRole('region', { name: 'Answer' }).locator('.query-status'), /\d ms/u)
  await screen(page, 'Connections')
}

/** The screens of one that only follows say who reads the connection. */
async function showsWhoReads(page: Page): Promise<void> {
  await screen(page, 'Query')
  await page.getByText('This connection is read by Anna’s Muster, and this Muster has no').waitFor()
  await page.getByText('Only what is documented is completed, and nothing is checked.').waitFor()
  expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true)
  await expectNoViolations(page, 'queries of a connection that another one reads', '#query')
  await screen(page, 'Diagnostics')
  await page.getByText('Acme is read by Anna’s Muster: requests, queue and').waitFor()
  await expectNoViolations(page, 'diagnostics of one that follows', '#diagnostics')
}

/** Berta is asked before she pauses the connection of both, and not before she resumes it. */
async function pauseForAll(anna: TeamWindow, { page, call }: TeamWindow): Promise<void> {
  const question = page.getByRole('alertdialog', { name: 'Pause Acme for everybody in the team?' })
  const act = (name: string) => page.getByRole('group', { name: 'Actions' }).getByRole('button', { name })
  const isPaused = async () => (await anna.call('app.state', {})).connections.map(({ paused }) => paused)
  await screen(page, 'Connections')
  await act('Pause Acme').press('Enter')
  await question.waitFor()
  await expect.poll(() => focused(page)).toBe('Cancel')
  await expectNoViolations(page, 'the question before a connection is paused', '.modal')
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
  expect(await isPaused()).toEqual([false])
  await act('Pause Acme').press('Enter')
  await question.getByRole('button', { name: 'Pause' }).press('Enter')
  await question.waitFor({ state: 'detached' })
  await expect.poll(isPaused).toEqual([true])
  await act('Resume Acme').press('Enter')
  await expect.poll(isPaused).toEqual([false])
  await until(async () => {
    const [connection] = (await call('app.state', {})).connections
    expect([connection?.link.state, connection?.readBy]).toEqual(['live', 'Anna'])
  }, 40_000)
}

/** Both windows show the incident of a site; the one that only follows acknowledges it, and the other shows that. */
async function acknowledgeInBoth(site: string, anna: TeamWindow, berta: TeamWindow): Promise<void> {
  const [ofAnna, ofBerta] = [screenOf(anna.page), screenOf(berta.page)]
  await screen(anna.page, 'Incidents')
  await screen(berta.page, 'Incidents')
  const named = new RegExp(`^Critical .*${site}`, 'u')
  await shows(ofAnna.rows.first(), named, 40_000)
  await shows(ofBerta.rows.first(), named)
  await ofBerta.list.focus()
  await berta.page.keyboard.press('ArrowDown')
  await berta.page.keyboard.press('a')
  await ofBerta.dialog.getByRole('textbox', { name: 'Reason' }).waitFor()
  await berta.page.keyboard.type('Power cut, ticket 7')
  await berta.page.keyboard.press('Enter')
  await berta.page.getByText('Acknowledged 1 incident.').waitFor()
  await ofAnna.choice('Acknowledged, snoozed 1').click()
  await shows(ofAnna.rows.first(), /Acknowledged: Power cut, ticket 7/u)
}

/** Gives a connection of the team its client secret, in the form of the window. */
async function enterSecret(page: Page, reference: Service): Promise<void> {
  const form = page.getByRole('dialog', { name: /^Edit/u })
  await screen(page, 'Connections')
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Edit' }).press('Enter')
  await form.waitFor()
  await typeInto(page, 'Client secret', reference.clientSecret)
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
}
