import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { describe, expect, it } from 'vitest'
import { createStage } from '../../src-main/electron/window.ts'
import { manualClock } from '../support/clock.ts'

/** A stage whose window is drawn when the test says so; `did` is what a person would see of it. */
function staged() {
  const did: string[] = []
  let minimised = false
  const window = Object.assign(new EventEmitter(), {
    webContents: new EventEmitter(), isDestroyed: () => false, isMinimized: () => minimised, loadURL: async () => {},
    show: () => void did.push('shown'), focus: () => void did.push('focused'), showInactive: () => {},
    minimize: () => void (minimised = true, did.push('minimised')), restore: () => void (minimised = false, did.push('restored')),
  })
  const stage = createStage({ preload: '', session: {} as never, icon: '', devTools: false }, {
    create: () => window as unknown as BrowserWindow, placing: { bounds: () => ({ width: 700, height: 500 }), follow: () => ({ present: () => void did.push('as it was left'), zoom() {} }) },
    background: () => '#000', onCreated() {}, staysInTray: () => false, onGone() {}, clock: manualClock(),
  })
  return { stage, did, drawn: () => void window.emit('ready-to-show') }
}

describe('a window that nobody waits for', () => {
  it('is put aside when it is drawn, and raised as it was left', () => {
    const { stage, did, drawn } = staged()
    stage.minimised()
    drawn()
    stage.raise()
    stage.raise()
    expect(did).toEqual(['minimised', 'restored', 'as it was left', 'focused', 'shown', 'focused'])
  })

  it('is not put aside any more when somebody has raised it before it was drawn', () => {
    const { stage, did, drawn } = staged()
    stage.minimised()
    stage.raise()
    drawn()
    expect(did).not.toContain('minimised')
    expect(did.slice(0, 2)).toEqual(['as it was left', 'focused'])
  })
})
