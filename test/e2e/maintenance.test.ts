import { titleOf } from '../support/messages.ts'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { FoundPlace } from '../../src-shared/contract/contract.ts'
import { until } from '../support/fleet.ts'
import { useWindows, type Served } from '../support/window.ts'
import { maintenancePart, setup, toPart } from './maintenance-site.ts'
import { focused, partsOf, shows, tabTo } from '../support/page-parts.ts'

export const windows = useWindows()
type Muster = Served['muster']

const policiesOf = async (muster: Muster) => (await muster.call('app.state', {})).policies
const notifiedTitles = async (muster: Muster) => (await muster.call('app.state', {})).notifications.recent.map(titleOf)
const openIncidents = async (muster: Muster) =>
  (await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 50 })).rows

/** The site's line in the tree, with the cursor on it; by keys alone. */
async function toLine(page: Page, site: FoundPlace) {
  await page.getByRole('treeitem').first().waitFor()
  await page.getByRole('tree').focus()
  await page.keyboard.press('Home')
  const active = page.locator('[role=treeitem][data-active=true]')
  for (let step = 0; step < 60; step += 1) {
    const label = (await active.getAttribute('aria-label')) ?? ''
    if (label.startsWith(`${site.name}, site`))
      return page.getByRole('treeitem', { name: new RegExp(`^${site.name}, site`, 'u') }).first()
    if (/, (region|tenant|account), /u.test(label) && (await active.getAttribute('aria-expanded')) === 'false') {
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => active.getAttribute('aria-expanded')).toBe('true')
    }
    const before = await page.getByRole('tree').getAttribute('aria-activedescendant')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.getByRole('tree').getAttribute('aria-activedescendant')).not.toBe(before)
  }
  throw new Error(`the arrows do not lead to ${site.name}`)
}

async function fromMenu(page: Page, word: string) {
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('tree')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: word }).waitFor()
  await page.keyboard.type(word.slice(0, 4))
  await page.keyboard.press('Enter')
}

test('a maintenance window made by the keyboard suppresses its site until it is removed', async () => {
  const { muster, site, devices, turn, open } = await setup(windows)
  const page = await open()
  const line = await toLine(page, site)
  await fromMenu(page, 'Maintenance window here…')
  const form = page.getByRole('dialog', { name: 'New maintenance window' })
  await form.waitFor()
  await expect.poll(() => focused(page)).toBe('Name')
  await page.keyboard.type('Patching')
  await page.keyboard.press('Enter')
  // Nobody has said by which clocks the site goes.
  await form.getByText(`Choose the time zone of ${site.name}.`).waitFor()
  await expect.poll(() => focused(page)).toBe('Time zone')
  await page.keyboard.type('Europe/Lisb')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await form.getByRole('checkbox', { name: `Use it for ${site.name} from now on` }).waitFor()
  await shows(
    form.getByRole('region', { name: 'Next times' }).getByRole('listitem').first(),
    /Europe\/Lisbon from now on.*Europe\/Berlin$/u,
  )
  await page.keyboard.press('Enter')
  await page.getByText('Made the maintenance window “Patching”.').waitFor()
  expect((await policiesOf(muster)).zones).toMatchObject([{ node: site.id, zone: 'Europe/Lisbon' }])
  await expect
    .poll(() => line.getAttribute('aria-label'))
    .toMatch(/, Maintenance until (?:\w{3} \d+ \w{3} )?\d\d:\d\d, .+: Patching$/u)
  expect((await policiesOf(muster)).windows).toMatchObject([
    { window: { name: 'Patching', node: site.id, nodeName: site.name, when: { kind: 'once' }, zone: null } },
  ])
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('tree')

  turn(false)
  await until(async () =>
    expect((await openIncidents(muster)).reduce((sum, { devices: { down } }) => sum + down, 0)).toBe(devices.length),
  )
  expect(
    (await openIncidents(muster)).map(({ notifiedAt, suppressed }) => [notifiedAt, suppressed?.why, suppressed?.name]),
  ).toEqual((await openIncidents(muster)).map(() => [null, 'maintenance', 'Patching']))
  expect(await notifiedTitles(muster)).toEqual([])
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Incidents')
  await page.keyboard.press('Enter')
  await page
    .getByTitle(/^Maintenance until .*: Patching/u)
    .filter({ visible: true })
    .first()
    .waitFor()
  expect(await page.title()).not.toMatch(/^\(/u)

  await toPart(page)
  await shows(
    maintenancePart(page).getByRole('listitem').filter({ hasText: 'Patching' }),
    new RegExp(`Patching over ${site.name} .* Active until (?:\\w{3} \\d+ \\w{3} )?\\d\\d:\\d\\d`, 'u'),
  )
  await tabTo(page, 'Remove Patching')
  await page.keyboard.press('Enter')
  await page.getByText('No maintenance windows.').waitFor()
  await expect.poll(() => focused(page)).toBe('New maintenance window')
  await expect.poll(() => notifiedTitles(muster)).toContainEqual(expect.stringContaining('Patching'))
  await until(async () =>
    expect((await openIncidents(muster)).every(({ suppressed }) => suppressed?.why !== 'maintenance')).toBe(true),
  )

  await tabTo(page, 'Undo the last change')
  await page.keyboard.press('Enter')
  await page.getByText('Undone.').waitFor()
  await maintenancePart(page).getByRole('button', { name: 'Remove Patching' }).waitFor()
  expect((await policiesOf(muster)).windows).toHaveLength(1)
})

test('removed maintenance windows are restored one by one, and a new time zone moves them', async () => {
  const { muster, site, open } = await setup(windows)
  const now = Date.now()
  for (const id of ['a', 'b', 'c']) {
    const when = { kind: 'once' as const, from: now + 86_400_000, until: now + 90_000_000 }
    await muster.call('maintenance.save', {
      id,
      name: `Works ${id}`,
      node: site.id,
      nodeName: site.name,
      when,
      zone: null,
      createdAt: now,
      until: null,
    })
  }
  const page = await open()
  await page
    .getByText(/120 devices/u)
    .first()
    .waitFor()
  const command = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Command/u }).fill(text)
    await page.getByRole('option', { name: option }).first().click()
  }
  await command(site.name, /site, \d+ device/u)
  await page.getByRole('combobox', { name: /^Command/u }).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await command('time zone of this place', new RegExp(`^Time zone of this place.*${site.name}`, 'u'))
  const dialog = page.getByRole('dialog', { name: `Time zone of ${site.name}` })
  await dialog.getByRole('combobox').fill('Pacific/Kiritimati')
  await page
    .getByRole('option', { name: /^Pacific\/Kiritimati/u })
    .first()
    .click()
  await shows(dialog.getByRole('status'), /^3 maintenance windows inherit it and keep their times of day:/u)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await until(async () =>
    expect(
      (await policiesOf(muster)).windows.every(
        ({ window: { when } }) => when.kind === 'once' && when.from < now + 86_400_000,
      ),
    ).toBe(true),
  )
  await dialog.waitFor({ state: 'detached' })

  await toPart(page)
  await tabTo(page, 'Remove Works b')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Remove Works c')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Remove Works a')
  const left = async () =>
    (await policiesOf(muster)).windows
      .map(({ window }) => window.id)
      .sort()
      .join('')
  expect(await left()).toBe('a')
  const undo = maintenancePart(page).getByRole('button', { name: 'Undo the last change' })
  for (const expected of ['ac', 'abc']) {
    await undo.click()
    await until(async () => expect(await left()).toBe(expected))
  }
  await undo.click()
  await until(async () => expect((await policiesOf(muster)).zones).toEqual([]))
  await undo.waitFor({ state: 'detached' })
})

test('a device shows that maintenance covers it, until that is removed elsewhere', async () => {
  const { muster, site, devices, open } = await setup(windows)
  const page = await open()
  const now = Date.now()
  await muster.call('maintenance.save', {
    id: 'w',
    name: 'Berlin patching',
    node: site.above[0]?.id ?? '',
    nodeName: 'any',
    when: { kind: 'once', from: now, until: now + 3_600_000 },
    zone: 'Asia/Tokyo',
    createdAt: now,
    until: null,
  })
  const { choice, row, detail } = partsOf(page)
  await choice('All').click()
  await row(devices[0]?.name ?? '')
    .first()
    .click()
  await detail.getByText(/^Maintenance until .*\d\d:\d\d, Asia\/Tokyo: Berlin patching$/u).waitFor()
  await muster.call('settings.change', { watched: [site.id] })
  await detail.getByText(/still notifies: on the watch list$/u).waitFor()
  await muster.call('maintenance.remove', { id: 'w' })
  await expect.poll(() => detail.getByText(/^Maintenance until/u).count()).toBe(0)
})

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A day of the week in New York on which a window has not begun, and that is not tomorrow. */
function dayAhead() {
  const zone = 'America/New_York'
  const today = new Date().toLocaleDateString('en', { weekday: 'long', timeZone: zone })
  const index = (weekdays.indexOf(today) + 3) % 7
  const [name = '', next = ''] = [weekdays[index], weekdays[(index + 1) % 7]]
  return { index, name, short: name.slice(0, 3), next: next.slice(0, 3) }
}

test('a weekly maintenance window is made by the keyboard, with errors at their fields', async () => {
  const { muster, site, open } = await setup(windows)
  const day = dayAhead()
  await muster.call('zones.set', {
    node: site.above[0]?.id ?? '',
    nodeName: site.above[0]?.name ?? '',
    zone: 'America/New_York',
  })
  const page = await open()
  await page.getByRole('treeitem').first().waitFor()
  await toPart(page)
  await page.getByText('No maintenance windows.').waitFor()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'New maintenance window' })
  await expect.poll(() => focused(page)).toBe('Name')
  await page.keyboard.press('Enter')
  await form.getByText('Give it a name.').waitFor()
  await form.getByText('Choose a place.').waitFor()
  await expect.poll(() => focused(page)).toBe('Name')
  await page.keyboard.type('Nightly reboots')
  await page.keyboard.press('Tab')
  await page.keyboard.type(site.name.slice(0, -1))
  await page.getByRole('option', { name: site.name }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const place = form.getByRole('combobox', { name: 'Place' })
  await expect.poll(() => place.inputValue()).toBe(site.name)
  await page.keyboard.type('elsewhere')
  await page.keyboard.press('Escape')
  await expect.poll(() => place.inputValue()).toBe(site.name)
  expect(await page.locator('[role=option]').count()).toBe(0)
  await expect
    .poll(() => form.getByRole('combobox', { name: 'Time zone' }).inputValue())
    .toBe(`Inherited from ${site.above[0]?.name}: America/New_York`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await form.getByRole('checkbox', { name: day.name }).waitFor()
  await page.keyboard.press('Enter')
  await form.getByText('Choose a day.').waitFor()
  await expect.poll(() => focused(page)).toBe('Monday')
  await tabTo(page, day.name)
  await page.keyboard.press('Space')
  await tabTo(page, 'Starts at')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('six')
  await page.keyboard.press('Tab')
  await form.getByText('A time looks like 18:00.').waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('18:00')
  await expect.poll(() => form.getByText('A time looks like 18:00.').count()).toBe(0)
  const times = form.getByRole('region', { name: 'Next times' }).getByRole('listitem')
  await expect.poll(() => times.count()).toBe(3)
  await shows(
    times.first(),
    new RegExp(
      `^${day.short} .* 18:00 to ${day.next} .* 06:00, America/New_York (${day.short}|${day.next}) .*, Europe/Berlin$`,
      'u',
    ),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog', { name: 'Discard it?' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Go back')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Starts at')
  await page.keyboard.press('Enter')
  await shows(
    maintenancePart(page).getByRole('listitem').filter({ hasText: 'Nightly reboots' }),
    new RegExp(
      `^Nightly reboots over ${site.name} Every ${day.short} 18:00 to 06:00 America/New_York, inherited from ${site.above[0]?.name} Next ${day.short} .* 18:00, America/New_York \\(`,
      'u',
    ),
  )
  expect((await policiesOf(muster)).windows).toMatchObject([
    {
      window: {
        node: site.id,
        when: { kind: 'weekly', days: [day.index], from: '18:00', ends: 'at', minutes: 720 },
        zone: null,
      },
      zone: 'America/New_York',
    },
  ])

  await tabTo(page, 'Edit Nightly reboots')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Change the maintenance window' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Name')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Reboots')
  await page.keyboard.press('Enter')
  await page.getByText('Changed the maintenance window “Reboots”.').waitFor()
  await expect.poll(() => focused(page)).toBe('Edit Reboots')
})

test('zone and thresholds of a site are set from its line, and inherited again', async () => {
  const { muster, site, open } = await setup(windows)
  const page = await open()
  await toLine(page, site)
  await fromMenu(page, 'Time zone…')
  const zone = page.getByRole('dialog', { name: `Time zone of ${site.name}` })
  await zone.waitFor()
  await expect.poll(() => focused(page)).toBe('Time zone')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('new york')
  await page.getByRole('option', { name: /^America.New_York/u }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => zone.getByRole('combobox').inputValue()).toBe('America/New_York')
  await page.keyboard.press('Enter')
  await page.getByText(`The time zone of ${site.name} is America/New_York.`).waitFor()
  expect((await policiesOf(muster)).zones).toMatchObject([{ node: site.id, zone: 'America/New_York' }])

  await fromMenu(page, 'Alert rules…')
  const rules = page.getByRole('dialog', { name: `Alert rules of ${site.name}` })
  await rules.getByText('Inherited: 0 seconds, from the settings.').first().waitFor()
  await expect.poll(() => focused(page)).toBe('Alert delay, seconds')
  await page.keyboard.type('99999')
  await page.keyboard.press('Enter')
  await rules.getByText('Enter a whole number from 0 to 3,600 seconds.').waitFor()
  expect((await policiesOf(muster)).thresholds).toEqual([])
  await page.keyboard.press('Control+a')
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await page.getByText(`Changed the alert rules of ${site.name}.`).waitFor()
  expect((await policiesOf(muster)).thresholds).toMatchObject([{ node: site.id, thresholds: { holdOffSeconds: 20 } }])

  await toPart(page)
  await shows(
    maintenancePart(page).getByRole('listitem'),
    new RegExp(`^${site.name} Time zone: America/New_York Alert delay: 20 seconds`, 'u'),
  )
  await tabTo(page, `Alert rules of ${site.name}`)
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Alert delay, seconds')
  await tabTo(page, 'Inherit all')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Alert delay, seconds')
  await page.keyboard.press('Enter')
  await page.getByText(`${site.name} inherits all alert rules.`).waitFor()
  expect((await policiesOf(muster)).thresholds).toEqual([])
  await expect.poll(() => focused(page)).toBe(`Alert rules of ${site.name}`)
  await page.getByRole('button', { name: `${site.name}: inherit again` }).waitFor()
  await tabTo(page, `${site.name}: inherit again`)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await policiesOf(muster)).zones).toEqual([])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(async () => (await policiesOf(muster)).zones).toMatchObject([{ zone: 'America/New_York' }])
})
