import { rmSync } from 'node:fs'
import type { Page } from 'playwright'
import type { BenchRow } from '../row.ts'
import { launchChromium } from '../support/chromium.ts'
import { percentile } from '../support/percentile.ts'
import { addressesOf, forkReference, type Addresses } from '../support/reference.ts'
import { heldMs, typeWords } from '../support/typing.ts'
import { forkServedCore, type RoomedDevice, type ServedCore } from './served-core.ts'
import { openUpdateClient } from './update-client.ts'

/**
 * The window in Chromium on a live fleet of 30,000 devices. Move: from the sending of another client's mutation to the
 * frame in which the row has its new site; beside the service's answer to that client. Filter: from a letter's input
 * event to the frame with the matching rows while Muster renames 5,000 devices again and again; beside the same letters
 * before. Service, core and browser are processes of their own.
 */
const devices = 30_000
const moves = 60
const warmUp = 5

export async function run(): Promise<BenchRow[]> {
  const reference = await forkReference({ devices, tenants: 6 })
  const core = forkServedCore()
  const browser = await launchChromium()
  let profile: string | null = null
  try {
    const served = await core.ask('open', addressesOf(reference))
    profile = served.profile
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await page.goto(served.url)
    await page.getByRole('radio', { name: /^All/u }).check({ force: true })
    await page.locator(`[role=grid][aria-rowcount="${devices + 1}"]`).waitFor()
    const moved = await moveAll(page, await core.ask('roomed', 500), addressesOf(reference))
    return [...moveRows(moved), ...(await letterRows(page, core))]
  } finally {
    await browser.close()
    await core.stop()
    await reference.stop()
    if (profile !== null) rmSync(profile, { recursive: true, force: true })
  }
}

interface Moved {
  /** Ms from the sending of the mutation. */
  answered: number
  shown: number
}

/** Moves devices to a room of another site of their tenant, one after the other. */
async function moveAll(page: Page, all: readonly RoomedDevice[], at: Addresses): Promise<Moved[]> {
  const client = await openUpdateClient(at)
  const filter = page.getByLabel('Filter devices')
  const taken: Moved[] = []
  for (const { id, tenant, site } of all) {
    const to = all.find((other) => other.tenant === tenant && other.site.name !== site.name)
    if (to === undefined) continue
    if (taken.length === moves + warmUp) break
    await filter.fill(`id:"${id}"`)
    await page.locator('[role=grid][aria-rowcount="2"]').waitFor()
    const shown = page.evaluate(whenShown, to.site.name)
    const send = client.prepare([{ id, site: to.site.id, room: to.room.id }])
    const began = Date.now()
    await send()
    const answered = Date.now() - began
    taken.push({ answered, shown: (await shown) - began })
  }
  await filter.fill('')
  await page.locator(`[role=grid][aria-rowcount="${devices + 1}"]`).waitFor()
  await client.close()
  if (taken.length < moves + warmUp) throw new Error(`only ${taken.length} devices could be moved`)
  return taken.slice(warmUp)
}

/** Runs in the page: resolves with the time of the frame in which a cell has this text. */
function whenShown(text: string): Promise<number> {
  return new Promise((resolve) => {
    const grid = document.querySelector('[role=grid]')
    const isShown = () =>
      [...(grid?.querySelectorAll('[role=gridcell]') ?? [])].some((cell) => cell.textContent === text)
    const observer = new MutationObserver(() => {
      if (!isShown()) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(Date.now()))
    })
    if (grid !== null) observer.observe(grid, { subtree: true, childList: true, characterData: true })
  })
}

const rounded = (value: number): number => Number(value.toFixed(1))

function moveRows(taken: readonly Moved[]): BenchRow[] {
  const at = (of: (moved: Moved) => number, share: number) => rounded(percentile(taken.map(of), share))
  const name = 'a move at the service to the row on the screen, 30,000 devices'
  const [p95, median] = [at(({ shown }) => shown, 0.95), at(({ shown }) => shown, 0.5)]
  return [
    {
      name: `${name} (p95 of ${taken.length})`,
      value: p95,
      unit: 'ms',
      baseline: at(({ answered }) => answered, 0.95),
      target: 1_000,
      holds: p95 <= 1_000,
    },
    {
      name: 'the same, median',
      value: median,
      unit: 'ms',
      baseline: at(({ answered }) => answered, 0.5),
      target: null,
      holds: null,
    },
  ]
}

async function letterRows(page: Page, core: ServedCore): Promise<BenchRow[]> {
  const alone = await typeWords(page, heldMs)
  await core.ask('rename')
  const began = Date.now()
  const meanwhile = await typeWords(page, heldMs)
  const seconds = (Date.now() - began) / 1000
  const renamed = await core.ask('halt')
  const p95 = rounded(percentile(meanwhile, 0.95))
  const name = 'filter letter to rows painted while 5,000 devices are renamed'
  return [
    {
      name: `${name} (p95 of ${meanwhile.length})`,
      value: p95,
      unit: 'ms',
      baseline: rounded(percentile(alone, 0.95)),
      target: 40,
      holds: p95 <= 40,
    },
    {
      name: 'the same, median',
      value: rounded(percentile(meanwhile, 0.5)),
      unit: 'ms',
      baseline: rounded(percentile(alone, 0.5)),
      target: null,
      holds: null,
    },
    {
      name: 'devices renamed in each second of that',
      value: Math.round(renamed / seconds),
      unit: 'devices',
      baseline: null,
      target: null,
      holds: null,
    },
  ]
}
