import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright'
import { build } from 'vite'
import { forkServedCore } from '../actions/served-core.ts'
import type { BenchRow } from '../row.ts'
import { launchChromium } from '../support/chromium.ts'
import { percentile } from '../support/percentile.ts'
import { addressesOf, forkReference } from '../support/reference.ts'
import { heldMs } from '../support/typing.ts'

/**
 * Typing in the middle of a GraphQL document of 500 lines, with completion, checks, hints and the cost at each pause, beside a
 * bare CodeMirror page with the same grammar in the same browser: from a key's event to the frame with its letter.
 */
const lines = 500
const viewport = { width: 1440, height: 900 }
const words = ['name', 'region', 'id', 'deviceSearch', 'site', 'hardwareModel', 'connected', 'tenants', 'room', 'na']
const rounds = 4

/** Tenants with aliases, of five lines each. */
const longDocument = `query Long {\n${Array.from({ length: lines / 5 }, (_, at) => `  a${at}: tenants {\n    id\n    name\n    region { id }\n  }\n`).join('')}}\n`

export async function run(): Promise<BenchRow[]> {
  const reference = await forkReference({ devices: 200, tenants: 2 })
  const core = forkServedCore()
  const browser = await launchChromium()
  let profile: string | null = null
  try {
    const served = await core.ask('open', addressesOf(reference))
    profile = served.profile
    const context = await browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] })
    const bare = await context.newPage()
    await bare.setContent(
      `<style>#editor .cm-editor { height: 600px; width: 640px }</style><pre id="document" hidden>${longDocument}</pre><div id="editor"></div><script>${await bareEditor()}</script>`,
    )
    const muster = await context.newPage()
    await muster.goto(served.url)
    await muster.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
    await muster.getByRole('textbox', { name: 'GraphQL document' }).click()
    await muster.getByText('Reading the schema…').waitFor({ state: 'detached' })
    await muster.evaluate((text) => navigator.clipboard.writeText(text), longDocument)
    await muster.keyboard.press('Control+a')
    await muster.keyboard.press('Control+v')
    const [plain, own]: number[][] = [[], []]
    // In turns, so that what else the machine does meets both.
    for (let round = 0; round < rounds; round += 1) {
      plain?.push(...(await type(bare)))
      own?.push(...(await type(muster)))
    }
    return rows(own ?? [], plain ?? [])
  } finally {
    await browser.close()
    await core.stop()
    await reference.stop()
    if (profile !== null) rmSync(profile, { recursive: true, force: true })
  }
}

/** Types and deletes each word in a line of its own in the middle; resolves with the milliseconds of each key. */
async function type(page: Page): Promise<number[]> {
  await page.bringToFront()
  const editor = page.locator('.cm-content').first()
  await editor.focus()
  await page.keyboard.press('Control+Home')
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('PageDown')
  const text = await page.evaluate(() => document.querySelector('.cm-activeLine, .cm-line')?.textContent ?? '')
  if (text === null) throw new Error('there is no line')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.evaluate(watchKeys)
  for (const word of words) {
    for (const letter of word) await page.keyboard.press(letter, { delay: heldMs })
    for (const _letter of word) await page.keyboard.press('Backspace', { delay: heldMs })
  }
  const keys = await page.evaluate(() => (globalThis as unknown as { keys: number[] }).keys)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Backspace')
  return keys
}

/** Runs in the page: records for each key that changes the text the time until the frame after it was painted. */
function watchKeys(): void {
  const own = globalThis as unknown as { keys?: number[] }
  const isWatched = Array.isArray(own.keys)
  own.keys = []
  if (isWatched) return
  document.addEventListener(
    'keydown',
    ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => own.keys?.push(performance.now() - timeStamp))
        port1.start()
        port2.postMessage(null)
      }),
    { capture: true },
  )
}

async function bareEditor(): Promise<string> {
  const outDir = path.resolve('out/bench/bare-editor')
  await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    mode: 'production',
    build: {
      outDir,
      lib: {
        entry: fileURLToPath(new URL('bare-editor.ts', import.meta.url)),
        formats: ['iife'],
        name: 'bare',
        fileName: () => 'bare-editor.js',
      },
    },
  })
  return readFileSync(path.join(outDir, 'bare-editor.js'), 'utf8').replaceAll('</script', String.raw`<\/script`)
}

function rows(own: number[], plain: number[]): BenchRow[] {
  const at = (values: number[], share: number) => Number(percentile(values, share).toFixed(1))
  const ratio = Number((percentile(own, 0.95) / percentile(plain, 0.95)).toFixed(2))
  return [
    {
      name: `a key in a document of ${lines} lines to its frame (p95 of ${own.length})`,
      value: at(own, 0.95),
      unit: 'ms',
      baseline: at(plain, 0.95),
      target: null,
      holds: null,
    },
    { name: 'the same, median', value: at(own, 0.5), unit: 'ms', baseline: at(plain, 0.5), target: null, holds: null },
    {
      name: 'the same, p95 over a bare CodeMirror',
      value: ratio,
      unit: 'times',
      baseline: 1,
      target: 1.2,
      holds: ratio <= 1.2,
    },
  ]
}
