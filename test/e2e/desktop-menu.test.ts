import { type ElectronMain, type MainOptions, pageAddress, startMain } from '../support/electron-shell.ts'
import type { Deed } from '../support/electron-stand-in/messages.ts'
import { temporaryProfile, until } from '../support/fleet.ts'
import { useWindows } from '../support/window.ts'
import { expect, test } from 'vitest'

const windows = useWindows()

const last = <D extends Deed['deed']>(main: ElectronMain, deed: D) =>
  main.deeds.findLast((each): each is Extract<Deed, { deed: D }> => each.deed === deed)

async function pageOf(main: ElectronMain) {
  return windows.open(pageAddress, { log: main.log, before: (made) => main.attach(made) })
}
async function opened(options: MainOptions = {}, profile = temporaryProfile(windows.leftovers)) {
  const main = await startMain(windows.leftovers, profile, options)
  return { main, page: await pageOf(main), profile }
}
const begun = (main: ElectronMain) =>
  until(() => expect(main.log.join('\n')).toContain('Muster opens in a window of its own.'))

test('the menu leads to screens, keys and a new connection; About shows the versions', async () => {
  const { main, page } = await opened()
  await begun(main)
  await main.ask({ ask: 'menu-click', label: 'Settings' })
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await main.ask({ ask: 'menu-click', label: 'Incidents' })
  await page
    .getByRole('heading', { level: 1, name: /incident/iu })
    .first()
    .waitFor()
  await main.ask({ ask: 'menu-click', label: 'List of Keys' })
  await page.getByRole('dialog').getByText('Next pane').waitFor()
  await page.keyboard.press('Escape')
  await main.ask({ ask: 'menu-click', label: 'Add a Connection…' })
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await main.ask({ ask: 'menu-click', label: 'About Muster' })
  await until(() =>
    expect(last(main, 'message-box')).toMatchObject({
      message: expect.stringMatching(/^Muster \d/u) as unknown,
      detail: expect.stringContaining(`Node.js ${process.versions.node}`) as unknown,
    }),
  )
  await until(() => expect(last(main, 'clipboard')?.text).toContain('Electron'))
})

test("only fields and selected text have the system's context menu", async () => {
  const main = await startMain(windows.leftovers, temporaryProfile(windows.leftovers))
  await begun(main)
  await main.ask({ ask: 'context-menu', isEditable: false, selectionText: '' })
  await main.ask({ ask: 'context-menu', isEditable: true, selectionText: '' })
  await main.ask({ ask: 'context-menu', isEditable: false, selectionText: 'TC52-0031' })
  expect(main.deeds.flatMap((each) => (each.deed === 'context-menu' ? [each.items] : []))).toEqual([
    ['cut', 'copy', 'paste', 'separator', 'selectAll'],
    ['copy'],
  ])
})

test('menus and frames follow the chosen theme', async () => {
  const profile = temporaryProfile(windows.leftovers)
  const main = await startMain(windows.leftovers, profile)
  await begun(main)
  expect([last(main, 'theme')?.source, last(main, 'made')?.ground]).toEqual(['system', '#0c0e12'])
  await main.call('settings.change', { theme: 'light' })
  await until(() => expect(last(main, 'theme')?.source).toBe('light'))
  await main.stop()
  const again = await startMain(windows.leftovers, profile)
  await begun(again)
  const order = again.deeds.map(({ deed }) => deed)
  expect(last(again, 'theme')?.source).toBe('light')
  expect(order.indexOf('theme')).toBeLessThan(order.indexOf('made'))
})
