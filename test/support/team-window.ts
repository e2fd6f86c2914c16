import process from 'node:process'
import type { Page } from 'playwright'
import { startConsole, type StartedConsole } from '../../scripts/team/console.mjs'
import { openPipe } from '../../scripts/team/pipe.mjs'
import { expect } from 'vitest'
import { teamAddressText } from '../../src-main/team/database/address.ts'
import { temporaryProfile, until } from './fleet.ts'
import type { Postgres } from './postgres/server.ts'
import { passwords, targetOf } from './postgres/team.ts'
import { tabTo } from './page-parts.ts'
import type { Windows } from './window.ts'

/** A Muster of a team: the built web shell in a process of its own, and its window. */
export interface TeamWindow extends Pick<StartedConsole, 'kill'> {
  page: Page
  call: Awaited<ReturnType<typeof openPipe>>['call']
}

/** Its secrets are in memory: there is no keychain to reach. */
const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' }

export async function openTeamWindow(windows: Windows): Promise<TeamWindow> {
  const profile = temporaryProfile(windows.leftovers)
  const muster = startConsole(profile, { env })
  windows.leftovers.push(() => muster.kill())
  const url = await muster.url
  const { call, close } = await openPipe(profile)
  windows.leftovers.push(close)
  const page = await windows.open(url, { expected: [/WebSocket connection to .* failed/u] })
  return { page, call, kill: () => muster.kill() }
}

/** Joins a team without the dialog, and waits until the window began anew with the team's data. */
export async function joinTeam(
  { call, page }: TeamWindow,
  { postgres, database }: { postgres: Pick<Postgres, 'port'>; database: string },
  operator: 'Anna' | 'Berta',
): Promise<void> {
  const role = operator === 'Anna' ? 'muster_owner' : 'berta'
  const { address } = targetOf(postgres, role, database)
  const anew = page.waitForEvent('load')
  await call('team.join', {
    typed: { address: teamAddressText(address), password: passwords[role], ca: '', operator },
    share: operator === 'Anna',
  })
  await until(async () => {
    const { joined } = await call('team.read', {})
    expect([joined?.link.is, joined?.isCatchingUp]).toEqual(['online', false])
  }, 40_000)
  await anew
}

/** The parts of Settings > Team. */
export function teamParts(page: Page) {
  const section = page.getByRole('region', { name: 'Team', exact: true })
  const table = (name: RegExp) => section.getByRole('table', { name })
  return {
    section,
    join: page.getByRole('dialog', { name: 'Join a team' }),
    leave: page.getByRole('alertdialog', { name: 'Leave the team?' }),
    state: section.getByRole('status'),
    member: (name: string) =>
      table(/^Members/u)
        .getByRole('row')
        .filter({ hasText: name }),
    /** Who reads a connection. */
    reader: (name: string) =>
      table(/^Who reads what/u)
        .getByRole('row')
        .filter({ hasText: name })
        .getByRole('cell'),
  }
}

/** Goes to Settings > Team by the keyboard. */
export async function goToTeam(page: Page): Promise<void> {
  // Before the screens are there, nothing obeys a key.
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  await tabTo(page, 'Settings')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await tabTo(page, 'Team')
  await page.keyboard.press('Enter')
}

/** Types into the field with this label, in place of what is in it. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}
