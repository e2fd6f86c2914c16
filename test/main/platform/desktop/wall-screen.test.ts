import { expect, it } from 'vitest'
import { fillForWall, isFullScreen } from '../../../../src-main/platform/desktop/window/wall-screen.ts'

function windowOf(full: boolean) {
  const window = {
    full,
    sets: 0,
    isFullScreen: () => window.full,
    setFullScreen(on: boolean) {
      window.full = on
      window.sets += 1
    },
  }
  return window
}

it.each([false, true])('the wall fills the screen and gives the window back as it was (%s)', (before) => {
  const window = windowOf(before)
  fillForWall(window, true)
  fillForWall(window, true)
  expect([window.full, isFullScreen(window), window.sets]).toEqual([true, before, 1])
  fillForWall(window, false)
  expect([window.full, isFullScreen(window)]).toEqual([before, before])
  // The operator leaves or enters the full screen afterwards, and nothing gives it back.
  window.full = !before
  fillForWall(window, false)
  expect([window.full, isFullScreen(window)]).toEqual([!before, !before])
})
