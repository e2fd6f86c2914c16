import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { describe, expect, it } from 'vitest'
import { createWindowManager } from '../../src-main/platform/electron/window/window-manager.ts'
import { manualClock } from '../support/clock.ts'

/** A stage whose window is drawn when the test says so; `did` is what a person would see of it. */
function staged() {
  const did: string[] = []
  let minimised = false
  const clock = manualClock()
  const window = Object.assign(new EventEmitter(), {
    webContents: new EventEmitter(),
    isDestroyed: () => false,
    isMinimized: () => minimised,
    loadURL: async () => {},
    show: () => void did.push('shown'),
    focus: () => void did.push('focused'),
    showInactive: () => {},
    hide: () => void did.push('hidden'),
    minimize: () => void ((minimised = true), did.push('minimised')),
    restore: () => void ((minimised = false), did.push('restored')),
  })
  const stage = createWindowManager(
    { preload: '', session: {} as never, icon: '', devTools: false },
    {
      create: () => window as unknown as BrowserWindow,
      windowState: {
        bounds: () => ({ width: 700, height: 500 }),
        follow: () => ({ present: () => void did.push('as it was left'), zoom() {} }),
      },
      background: () => '#000',
      onCreated() {},
      staysInTray: () => true,
      onCrash() {},
      clock,
    },
  )
  return {
    stage,
    did,
    clock,
    drawn: () => void window.emit('ready-to-show'),
    loaded: () => void window.webContents.emit('did-finish-load'),
    closed: () => void window.emit('close', { preventDefault() {} }),
  }
}

describe('a window whose system never reports its first paint', () => {
  it('is shown a moment after its page is loaded, and once', async () => {
    const { stage, did, clock, loaded, drawn } = staged()
    stage.raise()
    loaded()
    await clock.advance(299)
    expect(did).toEqual([])
    await clock.advance(1)
    expect(did).toEqual(['as it was left'])
    drawn()
    await clock.advance(10_000)
    expect(did).toEqual(['as it was left'])
    expect(clock.pending()).toBe(0)
  })

  it('is shown after three seconds when its page does not even load', async () => {
    const { stage, did, clock } = staged()
    stage.raise()
    await clock.advance(2_999)
    expect(did).toEqual([])
    await clock.advance(1)
    expect(did).toEqual(['as it was left'])
  })

  it('is hidden to the tray all the same when it starts hidden', async () => {
    const { stage, did, clock } = staged()
    stage.minimised()
    await clock.advance(3_000)
    expect(did).toEqual(['minimised'])
  })

  it('is not shown again when it was raised and closed to the tray before', async () => {
    const { stage, did, clock, loaded, closed } = staged()
    stage.raise()
    stage.raise()
    closed()
    loaded()
    await clock.advance(10_000)
    expect(did).toEqual(['as it was left', 'focused', 'hidden'])
    stage.raise()
    expect(did.slice(3)).toEqual(['shown', 'focused'])
  })
})

describe('a window that starts hidden', () => {
  it('is hidden after its first paint, and raised as it was left', () => {
    const { stage, did, drawn } = staged()
    stage.minimised()
    drawn()
    stage.raise()
    stage.raise()
    expect(did).toEqual(['minimised', 'restored', 'as it was left', 'focused', 'shown', 'focused'])
  })

  it('is not hidden any more when it was raised before its first paint', () => {
    const { stage, did, drawn } = staged()
    stage.minimised()
    stage.raise()
    drawn()
    expect(did).not.toContain('minimised')
    expect(did.slice(0, 2)).toEqual(['as it was left', 'focused'])
  })
})
