import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright'
import type { BenchRow } from '../row.ts'
import { launchChromium } from '../support/chromium.ts'
import { percentile } from '../support/percentile.ts'
import { heldMs, typeWords } from '../support/typing.ts'
import { fillCache, startProcess, webShell } from '../support/web-shell.ts'

/**
 * The window in Chromium over 30,000 cached devices, through the built web shell. Filter: from a letter's input event
 * to the frame with the matching rows; beside a page that filters 30,000 names in its own memory and draws as many
 * rows. A key is held as long as people hold it: Chromium defers network data between an input event and the frame
 * after it, so that a key that is released before the answer costs one frame more, which is measured too. Scroll:
 * frames while the table scrolls at one screen in ten frames; beside an empty box of the same size and height in the
 * same browser.
 */
const devices = 30_000
const viewport = { width: 1440, height: 900 }

export async function run(): Promise<BenchRow[]> {
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const shell = webShell(profile)
  await fillCache(profile, devices, 40)
  const started = await startProcess(shell)
  const browser = await launchChromium()
  try {
    const muster = await openPage(browser, started.url)
    // After the start's messages the page no longer moves.
    await muster.getByText('The client secret is not known here').waitFor()
    await muster.getByRole('radio', { name: /^All/u }).check({ force: true })
    await muster.locator(`[role=grid][aria-rowcount="${devices + 1}"]`).waitFor()
    const bare = await openPage(browser, 'about:blank')
    await bare.setContent(barePage)
    const [bareKeys, keys] = [await typeWords(bare, heldMs), await typeWords(muster, heldMs)]
    const [bareTaps, taps] = [await typeWords(bare, 0), await typeWords(muster, 0)]
    await muster.locator(`[role=grid][aria-rowcount="${devices + 1}"]`).waitFor()
    const box = await muster.evaluate(boxOfTable)
    await bare.setContent(
      `<div id="devices" style="overflow:auto;width:${box.width}px;height:${box.height}px"><div style="height:${box.inner}px"></div></div>`,
    )
    const [empty, table] = [await scroll(bare), await scroll(muster)]
    return [...keyRows(keys, bareKeys), ...tapRows(taps, bareTaps), ...scrollRows(table, empty)]
  } finally {
    await browser.close()
    await started.stop()
    rmSync(profile, { recursive: true, force: true })
  }
}

function keyRows(keys: number[], bare: number[]): BenchRow[] {
  const value = Number(percentile(keys, 0.95).toFixed(1))
  return [
    {
      name: `filter letter to rows painted, 30,000 devices (p95 of ${keys.length})`,
      value,
      unit: 'ms',
      baseline: Number(percentile(bare, 0.95).toFixed(1)),
      target: 40,
      holds: value <= 40,
    },
    {
      name: 'the same, median',
      value: Number(percentile(keys, 0.5).toFixed(1)),
      unit: 'ms',
      baseline: Number(percentile(bare, 0.5).toFixed(1)),
      target: null,
      holds: null,
    },
  ]
}

function tapRows(taps: number[], bare: number[]): BenchRow[] {
  return [
    {
      name: `the same, keys released at once (p95 of ${taps.length})`,
      value: Number(percentile(taps, 0.95).toFixed(1)),
      unit: 'ms',
      baseline: Number(percentile(bare, 0.95).toFixed(1)),
      target: null,
      holds: null,
    },
  ]
}

function scrollRows(table: Scrolled, empty: Scrolled): BenchRow[] {
  const [own, other] = [percentile(table.frames, 0.95), percentile(empty.frames, 0.95)]
  return [
    {
      name: `scroll of the table, frame (p95 of ${table.frames.length})`,
      value: Number(own.toFixed(1)),
      unit: 'ms',
      baseline: Number(other.toFixed(1)),
      target: null,
      holds: null,
    },
    {
      name: 'scroll of the table over an empty scroller, frame p95',
      value: Number((own / other).toFixed(2)),
      unit: 'times',
      baseline: 1,
      target: 1.5,
      holds: own / other <= 1.5,
    },
    {
      name: 'frames of the scroll with a visible row that was not loaded',
      value: Number(((table.gaps / table.frames.length) * 100).toFixed(1)),
      unit: '%',
      baseline: 0,
      target: null,
      holds: null,
    },
  ]
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport })).newPage()
  await page.goto(url)
  return page
}

interface Scrolled {
  /** Milliseconds from frame to frame. */
  frames: number[]
  /** Number of frames with placeholders for rows. */
  gaps: number
}

function scroll(page: Page): Promise<Scrolled> {
  return page.evaluate(
    () =>
      new Promise<Scrolled>((resolve) => {
        const box = document.querySelector('#devices')
        const scrolled: Scrolled = { frames: [], gaps: 0 }
        let before = performance.now()
        const step = (now: number) => {
          scrolled.frames.push(now - before)
          before = now
          const skeletons = [...(box?.querySelectorAll('.skeleton') ?? [])]
          const [top, bottom] = [box?.getBoundingClientRect().top ?? 0, box?.getBoundingClientRect().bottom ?? 0]
          if (
            skeletons.some(
              (each) => each.getBoundingClientRect().bottom > top && each.getBoundingClientRect().top < bottom,
            )
          )
            scrolled.gaps += 1
          if (scrolled.frames.length > 400) return resolve({ ...scrolled, frames: scrolled.frames.slice(1) })
          box?.scrollBy(0, 80)
          requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
      }),
  )
}

function boxOfTable(): { width: number; height: number; inner: number } {
  const box = document.querySelector('#devices')
  return { width: box?.clientWidth ?? 0, height: box?.clientHeight ?? 0, inner: box?.scrollHeight ?? 0 }
}

/** The baseline: a list in the page's own memory, filtered by `includes`, of which one screen is drawn. */
const barePage = `<label>Filter devices <input></label><div role="grid"></div><script>
const names = Array.from({ length: ${devices} }, (_, at) => ['Berlin Zentrale', 'Hamburg Room 4', 'Zürich Boardroom', 'Austin HQ'][at % 4] + ' Studio X' + (at % 90) + ' ' + at)
const grid = document.querySelector('[role=grid]')
document.querySelector('input').addEventListener('input', (event) => {
  const found = names.filter((name) => name.toLowerCase().includes(event.target.value))
  grid.setAttribute('aria-rowcount', found.length + 1)
  grid.innerHTML = '<div role="row">head</div>' + found.slice(0, 40).map((name) => '<div role="row">' + name + '</div>').join('')
})
</script>`
