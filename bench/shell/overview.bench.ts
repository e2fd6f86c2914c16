import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { writePast } from '../../test/support/past.ts'
import { forkServedCore } from '../actions/served-core.ts'
import type { BenchRow } from '../row.ts'
import { launchChromium } from '../support/chromium.ts'
import { percentile } from '../support/percentile.ts'
import { addressesOf, forkReference } from '../support/reference.ts'

/**
 * The overview in Chromium on a live fleet of 30,000 devices with 30 days in the journal. Opening: from the click in the rail to
 * the frame in which the map is drawn, in a page that was just loaded; beside a page that draws as many rectangles on a canvas.
 * Frames: from frame to frame of the map, by rooms, while 200 devices change in a second; beside an empty canvas of the same
 * size in the same browser, meanwhile too. Service, core and browser are processes of their own.
 */
const devices = 30_000
const changes = 200
const rounds = 9
const frames = 900

export async function run(): Promise<BenchRow[]> {
  const reference = await forkReference({ devices, tenants: 40 })
  const core = forkServedCore()
  const browser = await launchChromium()
  let profile: string | null = null
  try {
    const served = await core.ask('open', addressesOf(reference))
    profile = served.profile
    writePast(profile, { days: 30, now: Date.now(), outages: 1, seed: 1 })
    const page = await openPage(browser)
    await page.goto(served.url)
    const opened = await openOverview(page)
    const bare = await openPage(browser)
    await bare.setContent(barePage)
    const drawn = await openBare(bare)
    await page.bringToFront()
    const history = await historyMs(page)
    await page.getByRole('radio', { name: 'Rooms' }).check({ force: true })
    await page.getByText(/^[\d,]+ rooms/u).waitFor()
    reference.change(changes)
    const own = await framesOf(page)
    await bare.bringToFront()
    const empty = await framesOf(bare)
    return [...openRows(opened, drawn), historyRow(history), ...frameRows(own, empty)]
  } finally {
    await browser.close()
    await core.stop()
    await reference.stop()
    if (profile !== null) rmSync(profile, { recursive: true, force: true })
  }
}

async function openPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
}

/** Opens the overview in the page again and again, each time after a reload; resolves with the milliseconds of each. */
async function openOverview(page: Page): Promise<number[]> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await page.reload()
    await page.getByRole('gridcell').first().waitFor()
    // Whatever the start still reads comes in.
    await page.waitForTimeout(1500)
    taken.push(await clickToFrame(page, 'Overview', '.map-present'))
  }
  return taken
}

async function openBare(page: Page): Promise<number[]> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await page.setContent(barePage)
    taken.push(await clickToFrame(page, 'Overview', '.drawn'))
  }
  return taken
}

/** Resolves with the milliseconds from a click on a button to the end of the frame that has an element. */
function clickToFrame(page: Page, name: string, wanted: string): Promise<number> {
  return page.evaluate(
    ([name, wanted]) =>
      new Promise<number>((resolve) => {
        const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
        const began = performance.now()
        button?.click()
        const look = () => {
          if (document.querySelector(wanted) === null) return requestAnimationFrame(look)
          const channel = new MessageChannel()
          channel.port1.addEventListener('message', () => resolve(performance.now() - began))
          channel.port1.start()
          return requestAnimationFrame(() => channel.port2.postMessage(null))
        }
        requestAnimationFrame(look)
      }),
    [name, wanted] as const,
  )
}

/** Milliseconds until the 30 days of the journal are shown, for the first time. */
async function historyMs(page: Page): Promise<number> {
  const began = performance.now()
  await page.getByRole('region', { name: 'Most disconnects' }).getByRole('button').first().waitFor()
  return performance.now() - began
}

function framesOf(page: Page): Promise<number[]> {
  return page.evaluate(
    (count) =>
      new Promise<number[]>((resolve) => {
        const taken: number[] = []
        let before = performance.now()
        const step = (now: number) => {
          taken.push(now - before)
          before = now
          if (taken.length > count) return resolve(taken.slice(1))
          return requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
      }),
    frames,
  )
}

const rounded = (value: number, decimals = 0) => Number(value.toFixed(decimals))

function openRows(own: number[], bare: number[]): BenchRow[] {
  const value = rounded(percentile(own, 0.95))
  return [
    {
      name: `overview: click to the map painted, ${devices} devices (p95 of ${own.length} loads of the page)`,
      value,
      unit: 'ms',
      baseline: rounded(percentile(bare, 0.95)),
      target: 300,
      holds: value <= 300,
    },
    {
      name: 'the same, median',
      value: rounded(percentile(own, 0.5)),
      unit: 'ms',
      baseline: rounded(percentile(bare, 0.5)),
      target: null,
      holds: null,
    },
  ]
}

const historyRow = (value: number): BenchRow => ({
  name: 'overview: rest of the wait for 30 days of the journal, after nine loads',
  value: rounded(value),
  unit: 'ms',
  baseline: null,
  target: null,
  holds: null,
})

function frameRows(own: number[], empty: number[]): BenchRow[] {
  const [value, baseline] = [percentile(own, 0.95), percentile(empty, 0.95)]
  return [
    {
      name: `overview: frame of the map at ${changes} changes a second (p95 of ${own.length})`,
      value: rounded(value, 1),
      unit: 'ms',
      baseline: rounded(baseline, 1),
      target: null,
      holds: null,
    },
    {
      name: 'the same over an empty canvas',
      value: rounded(value / baseline, 2),
      unit: 'times',
      baseline: 1,
      target: 1.1,
      holds: value / baseline <= 1.1,
    },
  ]
}

/** The baseline: a button that draws as many rectangles as there are devices on a canvas. */
const barePage = `<button>Overview</button><canvas width="870" height="400"></canvas><script>
document.querySelector('button').addEventListener('click', () => {
  const pen = document.querySelector('canvas').getContext('2d')
  for (let at = 0; at < ${devices}; at += 1) {
    pen.fillStyle = at % 9 === 0 ? '#f88' : '#243'
    pen.fillRect((at % 217) * 4, Math.floor(at / 217) * 3, 3, 2)
  }
  document.querySelector('canvas').className = 'drawn'
})
</script>`
