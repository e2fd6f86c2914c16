import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  saveWindowState,
  minimumSize,
  fitToDisplays,
  readWindowState,
  defaultSize,
  zoomed,
  type WindowState,
  type Rect,
} from '../../../../src-main/platform/desktop/window/window-state.ts'
import { manualClock } from '../../../support/clock.ts'

const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
const rect = (least: number, most: number) =>
  fc.record({
    x: fc.integer({ min: -5000, max: 5000 }),
    y: fc.integer({ min: -5000, max: 5000 }),
    width: fc.integer({ min: least, max: most }),
    height: fc.integer({ min: least, max: most }),
  })
const areas = fc.array(rect(300, 4000), { minLength: 1, maxLength: 4 })
const inside = (area: Rect, { x = NaN, y = NaN, width, height }: Partial<Rect> & typeof defaultSize) =>
  x >= area.x && y >= area.y && x + width <= area.x + area.width && y + height <= area.y + area.height

describe('where a window opens', () => {
  it('is always whole on one existing display, in a usable size', () => {
    fc.assert(
      fc.property(areas, fc.option(rect(1, 9000)), (displays, kept) => {
        const placed = fitToDisplays(displays, kept)
        const on = displays.filter((area) => inside(area, placed))
        expect(on).not.toEqual([])
        expect(
          on.some(
            (area) =>
              placed.width >= Math.min(minimumSize.width, area.width) &&
              placed.height >= Math.min(minimumSize.height, area.height),
          ),
        ).toBe(true)
      }),
      { seed, numRuns: 3000 },
    )
  })

  it('is where it was, when that is whole on a display', () => {
    fc.assert(
      fc.property(areas, rect(400, 900), fc.nat(), (displays, kept, pick) => {
        const wide = { ...kept, width: Math.max(kept.width, minimumSize.width) }
        const area = displays[pick % displays.length]
        if (area === undefined || !inside(area, wide)) return
        const overlapped = displays.filter(
          (each) =>
            each !== area &&
            each.x < wide.x + wide.width &&
            wide.x < each.x + each.width &&
            each.y < wide.y + wide.height &&
            wide.y < each.y + each.height,
        )
        if (overlapped.length === 0) expect(fitToDisplays(displays, wide)).toEqual(wide)
      }),
      { seed, numRuns: 3000 },
    )
  })

  const [left, right] = [
    { x: 0, y: 25, width: 1920, height: 1055 },
    { x: 1920, y: 0, width: 2560, height: 1440 },
  ]
  it.each([
    ['nowhere yet: the middle of the primary one', [left, right], null, { x: 240, y: 102, width: 1440, height: 900 }],
    [
      'on the second one',
      [left, right],
      { x: 2000, y: 100, width: 1000, height: 700 },
      { x: 2000, y: 100, width: 1000, height: 700 },
    ],
    [
      'on a display that is gone: the middle of the primary one, in its size',
      [left],
      { x: 2000, y: 100, width: 1000, height: 700 },
      { x: 460, y: 202, width: 1000, height: 700 },
    ],
    [
      'between two: where it covers most',
      [left, right],
      { x: 1720, y: 100, width: 1000, height: 700 },
      { x: 1920, y: 100, width: 1000, height: 700 },
    ],
    ['larger than the display that is left', [left], { x: -100, y: -100, width: 3000, height: 2000 }, left],
    ['no display at all', [], { x: 5, y: 5, width: 700, height: 500 }, defaultSize],
  ])('%s', (_what, displays, kept, wanted) => {
    expect(fitToDisplays(displays, kept)).toEqual(wanted)
  })
})

describe('zoom', () => {
  it('goes by half levels, within its limits, and back to the default', () => {
    expect([zoomed(0, 1), zoomed(0.5, -1), zoomed(4, 1), zoomed(-3, -1), zoomed(2.5, 0)]).toEqual([0.5, 0, 4, -3, 0])
  })
})

describe('the stored state', () => {
  const placed: WindowState = {
    bounds: { x: 1, y: 2, width: 700, height: 500 },
    maximized: false,
    fullScreen: false,
    zoom: 0.5,
  }
  function keeping(maxBufferedBytes = false) {
    const kept = new Map<string, unknown>()
    const [written, logged]: [unknown[], string[]] = [[], []]
    const settings = {
      get: (key: string) => kept.get(key),
      set: (key: string, value: unknown) => {
        if (maxBufferedBytes) throw new Error('ENOSPC')
        written.push(value)
        kept.set(key, value)
      },
    }
    let now: WindowState | null = placed
    const clock = manualClock()
    const keeper = saveWindowState(
      settings,
      clock,
      (_level, text) => void logged.push(text),
      () => now,
    )
    return { kept, settings, written, logged, clock, keeper, put: (next: WindowState | null) => (now = next) }
  }

  it('is written when the window has been still, once, and read again', async () => {
    const { settings, written, clock, keeper } = keeping()
    for (let step = 0; step < 20; step += 1) {
      keeper.changed()
      await clock.advance(100)
    }
    expect(written).toEqual([])
    await clock.advance(500)
    keeper.changed()
    await clock.advance(500)
    expect([written, readWindowState(settings)]).toEqual([[placed], placed])
  })

  it('is written at once when the window closes, and not afterwards', async () => {
    const { written, clock, keeper, put } = keeping()
    keeper.changed()
    put({ ...placed, maximized: true })
    keeper.now()
    put(null)
    keeper.changed()
    await clock.advance(1000)
    keeper.changed()
    keeper.stop()
    expect([written, clock.pending()]).toEqual([[{ ...placed, maximized: true }], 0])
  })

  it('blocks no window where the disk is full or the stored state cannot be read', () => {
    const { keeper, logged } = keeping(true)
    keeper.now()
    expect(logged).toEqual(['the window state could not be saved'])
    for (const wrong of [
      undefined,
      null,
      'left',
      {},
      { ...placed, zoom: 99 },
      { ...placed, bounds: { x: 0, y: 0, width: 0, height: 5 } },
      { ...placed, bounds: { x: 0.5, y: 0, width: 10, height: 5 } },
    ]) {
      expect(readWindowState({ get: () => wrong })).toBeNull()
    }
  })
})
