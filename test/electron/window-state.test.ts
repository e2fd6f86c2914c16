import { EventEmitter } from 'node:events'
import type { BrowserWindow, Screen } from 'electron'
import { expect, it } from 'vitest'
import { createWindowState } from '../../src-main/platform/electron/window/window-state.ts'
import { manualClock } from '../support/clock.ts'

/** A window that is hidden until it is shown, and the calls that it got, in order. */
function placed(zoom: number) {
  const did: string[] = []
  let visible = false
  const webContents = Object.assign(new EventEmitter(), {
    setZoomLevel: (level: number) => void did.push(`zoom ${level}`),
  })
  const show = () => {
    visible = true
    did.push('shown')
    window.emit('show')
  }
  const window = Object.assign(new EventEmitter(), {
    webContents,
    show,
    isVisible: () => visible,
    isMaximized: () => false,
    isFullScreen: () => false,
    getNormalBounds: () => ({ x: 0, y: 0, width: 700, height: 500 }),
  })
  const kept: Record<string, unknown> = {
    window: { bounds: { x: 0, y: 0, width: 700, height: 500 }, maximized: false, fullScreen: false, zoom },
  }
  const settings = {
    get: (key: string) => kept[key],
    set: (key: string, value: unknown) => void (kept[key] = value),
    delete: (key: string) => void delete kept[key],
  }
  const windowState = createWindowState(
    () => ({}) as Screen,
    settings as never,
    manualClock(),
    () => {},
  )
  const { present, zoom: zoomBy } = windowState.follow(window as unknown as BrowserWindow)
  return { did, window, present, zoomBy, loaded: () => void webContents.emit('did-finish-load') }
}

it('a stored zoom is set when the window is shown, not before its first paint', () => {
  const { did, present, loaded } = placed(1)
  loaded()
  expect(did).toEqual([])
  present()
  expect(did).toEqual(['shown', 'zoom 1'])
  loaded()
  expect(did).toEqual(['shown', 'zoom 1', 'zoom 1'])
  present()
  expect(did.slice(3)).toEqual(['shown'])
})

it('a zoom that is chosen while the window is hidden is set when it is shown', () => {
  const { did, present, loaded, zoomBy } = placed(0)
  zoomBy(1)
  loaded()
  present()
  expect(did).toEqual(['shown', 'zoom 0.5'])
})
