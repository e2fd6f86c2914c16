import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { describe, expect, it } from 'vitest'
import { reportGivenUp } from '../../src-main/platform/desktop/window/crash-recovery.ts'
import { createWindowManager } from '../../src-main/platform/electron/window/window-manager.ts'
import { manualClock } from '../support/clock.ts'

const [second, minute] = [1000, 60_000]

const windowState = { bounds: () => ({ width: 700, height: 500 }), follow: () => ({ present() {}, zoom() {} }) }

/** The stage over a window whose page ends when the test says so; `ends` makes it end whenever it is loaded. */
function staged(devTools = false) {
  const clock = manualClock()
  const report: (number | null)[] = []
  const page = { loads: 0, ends: false }
  const contents = Object.assign(new EventEmitter(), {
    reload: () => ((page.loads += 1), page.ends && gone()),
    forcefullyCrashRenderer: () => gone('killed'),
  })
  const window = Object.assign(new EventEmitter(), {
    webContents: contents,
    isDestroyed: () => false,
    isMinimized: () => false,
    show() {},
    focus() {},
    loadURL: async () => {},
  })
  const gone = (reason = 'oom') => void contents.emit('render-process-gone', {}, { reason })
  const stage = createWindowManager(
    { preload: '', session: {} as never, icon: '', devTools },
    {
      create: () => window as unknown as BrowserWindow,
      windowState,
      background: () => '#000',
      onCreated() {},
      staysInTray: () => false,
      onCrash: (_reason, again) => void report.push(again),
      clock,
    },
  )
  stage.raise()
  return { stage, clock, page, report, gone, window }
}

describe('a page that crashes', () => {
  it('is reloaded at once, and each time that it has run well', async () => {
    const { clock, page, report, gone } = staged()
    for (let each = 0; each < 6; each += 1) {
      await clock.advance(6 * minute)
      gone()
      await clock.advance(0)
    }
    expect([page.loads, report]).toEqual([6, [0, 0, 0, 0, 0, 0]])
  })

  it('is reloaded after growing waits while it ends at loading, and again on demand', async () => {
    const { stage, clock, page, report, gone } = staged()
    page.ends = true
    gone()
    await clock.advance(second)
    expect([page.loads, report]).toEqual([1, [0, 2 * second]])
    await clock.advance(60 * minute)
    expect([page.loads, report, clock.pending()]).toEqual([4, [0, 2 * second, 10 * second, minute, null], 0])
    page.ends = false
    stage.raise()
    stage.raise()
    expect(page.loads).toBe(5)
  })

  it('is reloaded at once on demand, and once', async () => {
    const { stage, clock, page, gone } = staged()
    gone()
    await clock.advance(0)
    gone()
    await clock.advance(second)
    stage.raise()
    expect(page.loads).toBe(2)
    await clock.advance(minute)
    expect([page.loads, clock.pending()]).toEqual([2, 0])
  })

  it('is ended and reloaded when it is unresponsive for 15 seconds, and kept when it answers', async () => {
    const { clock, page, report, window } = staged()
    window.emit('unresponsive')
    await clock.advance(14 * second)
    window.emit('responsive')
    await clock.advance(minute)
    expect([page.loads, report]).toEqual([0, []])
    window.emit('unresponsive')
    await clock.advance(15 * second)
    await clock.advance(0)
    expect([page.loads, report]).toEqual([1, [0]])
    window.emit('unresponsive')
    window.emit('closed')
    await clock.advance(minute)
    expect([report, clock.pending()]).toEqual([[0], 0])
    const looked = staged(true)
    looked.window.emit('unresponsive')
    await looked.clock.advance(minute)
    expect(looked.report).toEqual([])
  })

  it('is not reloaded when it was ended on purpose, or when its window is closed meanwhile', async () => {
    const { clock, page, report, gone, window } = staged()
    gone('clean-exit')
    gone()
    window.emit('closed')
    await clock.advance(60 * minute)
    expect([page.loads, report]).toEqual([0, [0]])
  })
})

describe('its message', () => {
  it('offers to open Muster, and blocks nothing where none can be shown', async () => {
    const opened: string[] = []
    const answering = (response: number) => ({ showMessageBox: async () => ({ response, checkboxChecked: false }) })
    reportGivenUp(answering(0), () => opened.push('open'))
    reportGivenUp(answering(1), () => opened.push('later'))
    reportGivenUp({ showMessageBox: () => Promise.reject(new Error('no display')) }, () => opened.push('none'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(opened).toEqual(['open'])
  })
})
