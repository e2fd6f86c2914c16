import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { temporaryProfile, service } from '../support/fleet.ts'
import { shows } from '../support/page-parts.ts'
import {
  readFleet,
  savedBy,
  serve,
  serveFleet,
  shell,
  useWindows,
  type OpenOptions,
  type Served,
} from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

async function open(options: OpenOptions = {}, of: Served = served): Promise<Page> {
  const page = await windows.open(of.server.newUrl(), { log: of.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await editorOf(page).waitFor()
  return page
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'GraphQL document' })
const tabsOf = (page: Page) => page.getByRole('tablist', { name: 'Queries' }).getByRole('tab')
const tabNamed = (page: Page, name: string | RegExp) => tabsOf(page).filter({ hasText: name })
const rowNamed = (page: Page, name: string) =>
  page.getByRole('treegrid', { name: 'Saved operations' }).getByRole('row', { name, exact: true })
const newTab = (page: Page) => page.getByRole('button', { name: /^New tab/u }).click()
const notice = (page: Page) => page.locator('.query-notice')

async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Opens a new tab with this text. */
async function writeInNew(page: Page, text: string): Promise<void> {
  await newTab(page)
  await shows(editorOf(page), /^$/u)
  await write(page, text)
}

test('tabs are there again after a restart (desktop: a kill), each with its text', async () => {
  const profile = temporaryProfile(windows.leftovers)
  const own = await service(windows.leftovers, { devices: 20, tenants: 1 })
  const first = await serve(windows.leftovers, profile)
  await readFleet(first.muster, own)
  const page = await open({}, first)
  await write(page, 'query One { tenants { id } }')
  await writeInNew(page, 'query Two { tenants { name } }')
  await expect
    .poll(async () => (await first.muster.call('queryTabs.list', {})).tabs.map(({ document }) => document))
    .toEqual(['query One { tenants { id } }', 'query Two { tenants { name } }'])
  await page.close()
  if (first.kill === null) await first.stop()
  else await first.kill()
  const second = await serve(windows.leftovers, profile)
  const again = await open({}, second)
  await shows(tabNamed(again, 'Two'), /Two/u)
  expect(await tabNamed(again, 'Two').getAttribute('aria-selected')).toBe('true')
  await shows(editorOf(again), /query Two/u)
  await tabNamed(again, 'One').click()
  await shows(editorOf(again), /query One/u)
  await again.getByText('The answer appears here.').waitFor()
})

test('tabs are moved through and closed by keys, brought back by undo, and undo their own text', async () => {
  const page = await open()
  await writeInNew(page, 'query Left { tenants { id } }')
  await writeInNew(page, 'query Right { tenants { id } }')
  await tabNamed(page, 'Right').focus()
  await page.keyboard.press('ArrowLeft')
  await shows(editorOf(page), /query Left/u)
  expect(await tabNamed(page, 'Left').evaluate((tab) => tab === document.activeElement)).toBe(true)
  await editorOf(page).click()
  for (let n = 0; n < 5; n += 1) await page.keyboard.press('Control+z')
  expect(await editorOf(page).innerText()).not.toContain('Right')
  await page.keyboard.press('Control+y')
  await tabNamed(page, 'Right').click()
  await page.keyboard.press('Delete')
  await shows(notice(page), /“Right” closed\./u)
  expect(await tabNamed(page, 'Right').count()).toBe(0)
  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await shows(editorOf(page), /query Right/u)
  await page.keyboard.press('Control+Alt+t')
  await shows(editorOf(page), /^$/u)
  await tabNamed(page, 'Untitled').last().click({ button: 'middle' })
  await shows(notice(page), /“Untitled” closed\./u)
})

test('a saved operation is marked when it is changed, opened again, renamed, deleted and undone', async () => {
  const page = await open()
  await writeInNew(page, 'query Rooms { tenants { id } }')
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('My rooms')
  await dialog.getByRole('combobox', { name: 'Folder (optional)' }).fill('Berlin')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await tabNamed(page, 'My rooms').waitFor()
  await editorOf(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('# more')
  await shows(tabNamed(page, 'My rooms'), /not saved/u)
  await page.keyboard.press('Control+s')
  await expect.poll(() => tabNamed(page, 'not saved').count()).toBe(0)
  await page.getByRole('button', { name: 'Close tab' }).click()
  await page.getByRole('button', { name: 'Saved and history' }).click()
  await rowNamed(page, 'My rooms').focus()
  await page.keyboard.press('Enter')
  await shows(editorOf(page), /query Rooms.*# more/su)
  await rowNamed(page, 'My rooms').focus()
  await page.keyboard.press('F2')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Their rooms')
  await page.keyboard.press('Enter')
  await tabNamed(page, 'Their rooms').waitFor()
  await rowNamed(page, 'Their rooms').focus()
  await page.keyboard.press('Delete')
  await shows(notice(page), /“Their rooms” deleted\./u)
  await expect.poll(() => rowNamed(page, 'Their rooms').count()).toBe(0)
  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await rowNamed(page, 'Their rooms').waitFor()
})

test('operations are exported and imported; a bad file says its line and changes nothing', async () => {
  const page = await open()
  await served.muster.call('operations.save', {
    id: 'exported',
    name: 'Exported',
    folder: '',
    document: 'query Exported { tenants { id } }\n',
    variables: '{"a": 1}',
  })
  await page.getByRole('button', { name: 'Saved and history' }).click()
  const { name, text } = await savedBy(page, () =>
    page.getByRole('button', { name: 'Export as a .graphql file', exact: true }).click(),
  )
  expect(name).toMatch(/^muster-operations-.*\.graphql$/u)
  expect(text).toContain('# muster-operation: Exported\n# variables:\n#   {"a": 1}\n# document:\nquery Exported')
  await rowNamed(page, 'Exported').getByRole('button', { name: 'Actions of Exported' }).click()
  const one = await savedBy(page, () => page.getByRole('menuitem', { name: 'Export as a .graphql file' }).click())
  expect([...one.text.matchAll(/# muster-operation: .*/gu)].map(([line]) => line)).toEqual([
    '# muster-operation: Exported',
  ])
  await served.muster.call('operations.remove', { id: 'exported' })
  const take = async (file: string, content: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import a .graphql file' }).click(),
    ])
    await chooser.setFiles({ name: file, mimeType: 'text/plain', buffer: Buffer.from(content) })
  }
  await take('all.graphql', text)
  await shows(notice(page), /operations? imported\./u)
  await rowNamed(page, 'Exported').waitFor()
  const before = (await served.muster.call('operations.list', {})).operations.length
  await take('bad.graphql', 'query Good { tenants { id } }\nquery Bad {\n')
  await shows(notice(page), /Nothing was imported: line \d: Syntax Error/u)
  expect((await served.muster.call('operations.list', {})).operations.length).toBe(before)
})

test('the history has each run with its outcome, and opens one in a new tab', async () => {
  const page = await open()
  await writeInNew(page, 'query Remembered { tenants { id } }')
  await page.keyboard.press('Control+Enter')
  await page
    .getByText(/HTTP 200/u)
    .first()
    .waitFor()
  await write(page, '{ nothingOfThisName }')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Saved and history' }).click()
  await page.getByRole('radio', { name: 'History' }).check({ force: true })
  const runs = page.getByRole('listbox', { name: 'History of runs' }).getByRole('option')
  await shows(runs.first(), /nothingOfThisName.*HTTP 400/su)
  await page.getByRole('searchbox', { name: 'Filter the history' }).fill('remembered')
  await expect.poll(() => runs.count()).toBe(1)
  await shows(runs.first(), /Remembered.*HTTP 200 · \d points \(expected \d+\)/su)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await shows(editorOf(page), /query Remembered/u)
  await page.getByRole('button', { name: 'Clear…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No runs yet. The last 500 are kept.').waitFor()
})

test('a link with an operation opens it in a tab, and sends nothing', async () => {
  const page = await open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await writeInNew(page, 'query Linked { tenants { id } }')
  await page.getByRole('button', { name: 'Copy link to this query' }).click()
  await shows(notice(page), /Copied link/u)
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(shell === 'electron' ? /^muster:\/\/query\?document=/u : /#query\?document=/u)
  await page.getByRole('button', { name: 'Close tab' }).click()
  const sent = () => reference.operations().filter(({ query }) => query.includes('Linked')).length
  if (shell === 'web') {
    await page.evaluate((hash) => void (location.hash = hash), copied.slice(copied.indexOf('#')))
    await shows(editorOf(page), /query Linked/u)
    await page.evaluate(() => void (location.hash = '#operation/muster-points'))
    await shows(editorOf(page), /query PointsLeft/u)
    await page.evaluate(() => void (location.hash = '#operation/none'))
    await page.getByText('There is no such saved operation here.').waitFor()
  } else {
    const { open: opened } = await served.muster.call('links.read', { link: copied })
    expect(opened).toMatchObject({ screen: 'query', query: { document: 'query Linked { tenants { id } }' } })
  }
  expect(sent()).toBe(0)
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('saved operations and the history are accessible: $viewport.width, $colorScheme', async (options) => {
  const page = await open(options)
  await writeInNew(page, 'query Seen { tenants { id } }')
  await page.keyboard.press('Control+Enter')
  await page
    .getByText(/HTTP 200/u)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Saved and history' }).click()
  await rowNamed(page, 'Points left').waitFor()
  await expectNoViolations(page, `saved ${options.colorScheme}`)
  await page.getByRole('radio', { name: 'History' }).check({ force: true })
  await page.getByRole('listbox', { name: 'History of runs' }).getByRole('option').first().waitFor()
  await expectNoViolations(page, `history ${options.colorScheme}`)
})
