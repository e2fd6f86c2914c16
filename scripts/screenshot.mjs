import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { ensureInstalled, exitWithError, root } from './setup.mjs'

/** Takes the README's screenshots: the demo as `npm start` shows it, in a browser, without special preparation. */
const folder = path.join(root, 'assets', 'screenshots')
const variants = [
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1024, height: 700 },
  { theme: 'light', width: 1024, height: 700 },
]

/** Starts `npm start` in the browser, on a profile of its own; `stop` is Ctrl-C. */
function startDemo() {
  const args = [path.join(root, 'scripts', 'start.mjs'), '--web', '--no-open', '--port=0', `--profile=${profile}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const address = new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = /^Muster is at (\S+)$/u.exec(line)
      if (found !== null) resolve(found[1])
    })
    void ended.then((code) => reject(new Error(`Muster ended with ${code} before it could be opened`)))
  })
  return {
    address,
    stop: async () => {
      child.kill('SIGINT')
      await ended
    },
  }
}

async function takeScreenshots(address) {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({
    executablePath: installed.path,
    args: ['--disable-background-networking', '--no-first-run', ...sandbox],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
    await page.goto(address)
    for (const [name, arrange] of Object.entries(scenes)) {
      await arrange(page)
      await take(page, name)
    }
  } finally {
    await browser.close()
  }
}

/** Takes one scene in each size and theme. */
async function take(page, name) {
  for (const { theme, width, height } of variants) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    // The pointer rests where it has no effect, and changes by the new size are drawn.
    await page.mouse.move(700, 20)
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 200)))
        }),
    )
    await page.screenshot({ path: path.join(folder, `${name}-${width}-${theme}.png`) })
  }
  const [first] = variants
  await page.emulateMedia({ colorScheme: first.theme })
  await page.setViewportSize({ width: first.width, height: first.height })
}

/** Actions of an operator, one after the other. */
const scenes = {
  /** Waits for the sync, opens a tenant in the tree, and shows the latest drop. */
  async inventory(page) {
    await page.getByRole('region', { name: 'Demo' }).getByRole('button', { name: 'Look around' }).click()
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Inventory' }).click()
    await page.getByRole('heading', { level: 1, name: /^5,000 devices:/u }).waitFor({ timeout: 120_000 })
    const status = page.getByRole('contentinfo', { name: 'Status' })
    await status.getByRole('button', { name: 'Status: Live' }).waitFor({ timeout: 60_000 })
    await status.getByText(/^Last sync (just now|\d+)/u).waitFor({ timeout: 120_000 })
    // The points of a minute suffice for one sync and not quite for the check after it.
    await status
      .getByText(/for points|^Syncing|^Checking|^Change check/u)
      .waitFor({ state: 'detached', timeout: 120_000 })
    const tree = page.getByRole('tree')
    await tree.focus()
    for (const key of ['Home', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await tree
      .getByRole('treeitem', { name: /, account, /u })
      .first()
      // Accounts are read when the devices are.
      .waitFor({ timeout: 180_000 })
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await tree
      .getByRole('treeitem', { name: /, site, /u })
      .first()
      .waitFor()
    const table = page.getByRole('grid', { name: 'Devices' })
    await table.getByRole('button', { name: 'In state for', exact: true }).click()
    // A drop that Muster observed: its time is exact, and it has a transition.
    const top = table
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') })
      .first()
    await top.filter({ has: page.getByRole('gridcell', { name: /^\d+ (s|min)$/u }) }).waitFor({ timeout: 60_000 })
    await top.click()
    await page
      .getByRole('region', { name: 'Device', exact: true })
      .getByRole('region', { name: 'Status history' })
      .waitFor()
  },
  /** Closes the device and enters a narrower filter. */
  async finding(page) {
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('connected:no -tenant:Cobalt* model~Stu')
    await page.getByRole('listbox', { name: 'Completions' }).getByRole('option').first().waitFor()
  },
  async columns(page) {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Serial' }).waitFor()
  },
  async notifications(page) {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Notifications/u }).click()
    await page
      .getByText(/ offline/u)
      .first()
      .waitFor({ timeout: 60_000 })
  },
  /** The fleet at a glance, once the journal is read. */
  async overview(page) {
    await page.keyboard.press('Escape')
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()
    await page.getByRole('listbox', { name: 'Fleet map' }).waitFor()
    await page
      .getByRole('region', { name: 'Most disconnects' })
      .getByRole('button')
      .first()
      .waitFor({ timeout: 60_000 })
  },
  /** The availability report of all tenants. */
  async report(page) {
    await page.getByRole('button', { name: 'Report', exact: true }).click()
    await page.getByText('30 d', { exact: true }).click()
    await page.getByRole('list', { name: 'Availability by day' }).waitFor({ timeout: 60_000 })
  },
  /** The wall display, with its map and incidents. */
  async wall(page) {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Wall display' }).click()
    await page.getByRole('img', { name: /^Fleet map/u }).waitFor()
    await page.getByRole('article').first().waitFor({ timeout: 60_000 })
  },
  /** The screen Changes, of the last week. */
  async changes(page) {
    await page.keyboard.press('Escape')
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Changes' }).click()
    await page.getByText('7 d', { exact: true }).click()
    await page.getByRole('region', { name: 'Changes' }).getByRole('rowheader').first().waitFor({ timeout: 60_000 })
  },
  /** The screen Incidents, with the worst open one. */
  async incidents(page) {
    await page.keyboard.press('Escape')
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('button', { name: /^Incidents/u })
      .click()
    const list = page.getByRole('grid', { name: 'Incidents' })
    // An incident of a site: one without a common site has no availability strip.
    await list
      .getByRole('row')
      .filter({ hasText: /\d+ of \d+ down/u })
      .first()
      .click({ timeout: 120_000 })
    await page
      .getByRole('region', { name: 'Incident', exact: true })
      .getByRole('listbox', { name: /over the last 24 hours/u })
      .waitFor()
  },
  /** A repeating maintenance window, about to be created for a place found by search. */
  async maintenance(page) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new maintenance window')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New maintenance window' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Patch night')
    await form.getByRole('combobox', { name: 'Place' }).fill('Cobalt')
    await page
      .getByRole('option', { name: /^Cobalt/u })
      .first()
      .click()
    await form.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
    await page
      .getByRole('option', { name: /^Europe\/Berlin/u })
      .first()
      .click()
    await form.getByText('Every week', { exact: true }).click()
    await form.getByRole('checkbox', { name: 'Tuesday' }).focus()
    await page.keyboard.press('Space')
    await form.getByRole('region', { name: 'Next times' }).getByRole('listitem').first().waitFor()
  },
  /** A tenant is armed, and a rolling reboot of eight of its devices is about to begin. */
  async sheet(page) {
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog', { name: 'Discard it?' }).getByRole('button', { name: 'Discard' }).click()
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('button', { name: /^Inventory/u })
      .click()
    await page.getByRole('button', { name: /^Read-only/u }).click()
    await page
      .getByRole('button', { name: /^Arm Cobalt/u })
      .first()
      .click()
    await page
      .getByRole('alertdialog', { name: /^Arm /u })
      .getByRole('button', { name: /^Arm for/u })
      .click()
    await page.getByLabel('Filter devices').fill('tenant:Cobalt* status:online')
    const table = page.getByRole('grid', { name: 'Devices' })
    await table
      .getByRole('gridcell', { name: /^Cobalt/u })
      .first()
      .waitFor()
    await table.getByRole('row').nth(1).click()
    await table.focus()
    for (let row = 1; row < 8; row += 1) await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('region', { name: 'Selected devices' }).getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Reboot…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Reboot 8 devices' })
    await sheet.getByText(/ready\./u).waitFor()
    await sheet.getByText('In batches').click()
    await sheet.getByRole('textbox', { name: /^Batches of/u }).fill('4')
  },
  /** The same reboot on its way. */
  async actions(page) {
    await page
      .getByRole('dialog', { name: 'Reboot 8 devices' })
      .getByRole('button', { name: /^Reboot \d/u })
      .click()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page
      .getByRole('region', { name: 'Action', exact: true })
      .getByText(/^Rebooted, back after/u)
      .first()
      .waitFor({ timeout: 120_000 })
  },
  /** A query of the operator's own, with its cost and its answer. */
  async query(page) {
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
    const editor = page.getByRole('textbox', { name: 'GraphQL document' })
    await editor.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('query Offline($tenantId: ID!) { tenant(id: $tenantId) { name inventory { deviceSearch(')
    await page.keyboard.type('params: { pageSize: 25 }) { edges { node { id name connected lastDetected ')
    await page.keyboard.type('site { name } room { name } } } pageInfo { totalCount } } } } }')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Format' }).click()
    await page.getByRole('combobox', { name: 'Tenant' }).selectOption({ index: 1 })
    await page.getByText(/^It goes now\.$/u).waitFor({ timeout: 90_000 })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('grid', { name: 'Answer as a table' }).waitFor()
    await page.getByRole('grid', { name: 'Answer as a table' }).focus()
  },
  async settings(page) {
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  },
}

ensureInstalled()
const { installBrowser } = await import('./test/tools.mjs')
const { chromium } = await import('playwright')
const installed = await installBrowser((line) => console.error(line))
if ('reason' in installed) exitWithError(`No screenshots: ${installed.reason}`)

const profile = mkdtempSync(path.join(tmpdir(), 'muster-screenshot-'))
const muster = startDemo()
try {
  await takeScreenshots(await muster.address)
  console.log(`Written: ${path.relative(process.cwd(), folder)}`)
} finally {
  await muster.stop()
  rmSync(profile, { recursive: true, force: true })
}
