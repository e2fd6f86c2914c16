import type { UpdateEnvironment } from '../../src-main/updates/ports.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { offerOf } from '../main/updates/copies.ts'
import { temporaryProfile } from '../support/fleet.ts'
import { browserTest, serve, shell, useWindows } from '../support/window.ts'
import { shows } from '../support/page-parts.ts'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

const windows = useWindows()

async function toSettings(page: Page) {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'Settings' })
    .or(page.getByRole('button', { name: 'Settings', exact: true }))
    .first()
    .click()
  return page.getByRole('region', { name: 'Updates', exact: true })
}

test('updates are for the installed application only, and the settings say so', async () => {
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const section = await toSettings(await windows.open(served.server.newUrl()))
  await section.getByRole('heading', { name: 'Updates are off' }).waitFor()
  await section
    .getByText(
      shell === 'electron'
        ? 'This Muster runs from its sources.'
        : 'What you see in a browser is as new as the Muster that serves it.',
    )
    .waitFor()
  expect(await section.getByRole('button').count()).toBe(0)
  expect(await section.getByRole('textbox').count()).toBe(0)
  await expect(served.muster.call('updates.check', {})).rejects.toMatchObject({ fault: { kind: 'input' } })
})

/** The window beside an updater that does what the test says, under a policy. */
async function underPolicy() {
  const download = { progress: (_bytes: number) => {}, end: (_thrown?: unknown) => {} }
  const offer = offerOf('0.2.0')
  const ground: UpdateEnvironment = {
    copy: { policy: 'read', file: '/etc/muster/policy.json', kind: 'AppImage', signed: true },
    off: null,
    policy: { updates: 'ask', feed: 'https://it.example/muster/', channel: 'beta', actions: null },
    feed: '',
    failure: '',
    pendingStore: { read: () => null, write: () => {} },
    updater: {
      check: async () => ({
        ...offer,
        update: {
          ...offer.update,
          size: 120_000_000,
          notes: Array.from({ length: 60 }, (_each, line) => `Line ${line}`).join('\n'),
        },
      }),
      download: (_offer, onProgress) =>
        new Promise((resolve, reject) =>
          Object.assign(download, {
            progress: onProgress,
            end: (thrown?: unknown) => (thrown === undefined ? resolve() : reject(thrown)),
          }),
        ),
      restart: () => {},
    },
  }
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers), { updates: ground })
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  return { page, section: await toSettings(page), download }
}

browserTest('settings of a policy are read-only, and a download shows its progress and its result', async () => {
  const { page, section, download } = await underPolicy()
  const head = section.getByRole('status')
  expect(await section.getByText('Set by your organisation.').count()).toBe(3)
  await section.getByText('https://it.example/muster/').waitFor()
  expect(await section.getByRole('textbox', { name: 'Feed', exact: true }).count()).toBe(0)
  expect(await section.getByRole('switch').count()).toBe(0)
  expect(await section.getByRole('radio').count()).toBe(0)
  await section.getByRole('button', { name: 'Check for updates' }).click()
  await shows(head, 'Muster 0.2.0 is available')
  const { violations } = await new AxeBuilder({ page }).include('#settings-updates').analyze()
  expect(violations.map(({ id, help }) => ({ id, help }))).toEqual([])
  const notes = section.getByRole('region', { name: 'Release notes' })
  await notes.focus()
  await page.keyboard.press('End')
  await expect.poll(() => notes.evaluate((element) => element.scrollTop)).toBeGreaterThan(100)
  await section.getByRole('button', { name: 'Download', exact: true }).click()
  // The button is gone: the focus stays where the news is.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Muster 0.2.0 is being downloaded')
  download.progress(30_000_000)
  await section.getByText('30.0 of 120 MB.').waitFor()
  await expect.poll(() => section.getByRole('progressbar').getAttribute('value')).toBe('30000000')
  download.end(new FaultError('reset', 'it.example'))
  await shows(head, 'The download failed')
  await section.getByText('The connection to the feed was cut: it.example.').waitFor()
  await page.keyboard.press('Control+k')
  const command = page.getByRole('combobox', { name: 'Command, view, place or device' })
  await command.fill('update')
  await page.getByRole('option', { name: /^Check for updates/u }).waitFor()
  expect(await page.getByRole('option', { name: /^Restart and update/u }).count()).toBe(0)
  await page.getByRole('option', { name: /^Download the update/u }).click()
  await section.getByRole('progressbar').waitFor()
  download.end()
  await shows(head, 'Muster 0.2.0 is ready')
})
