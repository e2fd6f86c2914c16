import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { hideToTray } from '../../../../src-main/platform/desktop/window/hide-to-tray.ts'

function shown(isFull: boolean) {
  const did: string[] = []
  const window = Object.assign(new EventEmitter(), {
    isFullScreen: () => isFull,
    isDestroyed: () => false,
    hide: () => void did.push('hide'),
    setFullScreen: (on: boolean) => void did.push(`full screen ${on ? 'on' : 'off'}`),
  })
  return { window, did }
}

test('on macOS a window leaves full screen before it is hidden', () => {
  const mac = shown(true)
  hideToTray(mac.window, 'darwin')
  expect(mac.did).toEqual(['full screen off'])
  mac.window.emit('leave-full-screen')
  expect(mac.did).toEqual(['full screen off', 'hide'])
  for (const [platform, isFull] of [
    ['darwin', false],
    ['linux', true],
    ['win32', true],
  ] as const) {
    const { window, did } = shown(isFull)
    hideToTray(window, platform)
    expect(did).toEqual(['hide'])
  }
})
