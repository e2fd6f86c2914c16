import { expect, test } from 'vitest'
import { followRestarts } from '../../../src-renderer/app/screens/follow-restarts.ts'
import { lastScreen } from '../../../src-renderer/app/screens/use-screen.ts'
import { wallShown } from '../../../src-renderer/wall/shown-wall.ts'
import { corePipe } from '../support/pipe-stub.ts'

/** A window whose session storage survives that it is loaded again. */
function around() {
  const kept = new Map<string, string>()
  const loads = { count: 0 }
  const window = {
    sessionStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    },
    location: { reload: () => void (loads.count += 1) },
  } as unknown as Pick<Window, 'sessionStorage' | 'location'>
  const reload = () => {
    lastScreen.set(null)
    wallShown.set(false)
  }
  return { window, kept, loads, reload }
}

test('a window is loaded again after a restart of the core, and shows the screen that it showed', async () => {
  const { window, kept, loads, reload } = around()
  const { pipe, report } = corePipe({})
  const off = followRestarts(pipe, window)
  lastScreen.set('settings')
  await report('restarted', {})
  expect(loads.count).toBe(1)
  off()
  reload()
  const stop = followRestarts(pipe, window)
  expect([lastScreen.get(), wallShown.get(), kept.size]).toEqual(['settings', false, 0])
  stop()
  await report('restarted', {})
  expect(loads.count).toBe(1)
  reload()
})

test('the wall display stays the wall display, and an unknown screen is left to the settings', async () => {
  const { window, kept, reload } = around()
  const { pipe, report } = corePipe({})
  const off = followRestarts(pipe, window)
  lastScreen.set('overview')
  wallShown.set(true)
  await report('restarted', {})
  off()
  reload()
  followRestarts(pipe, window)()
  expect([lastScreen.get(), wallShown.get()]).toEqual([null, true])
  reload()
  kept.set('muster.screen', 'of another version')
  followRestarts(pipe, window)()
  expect([lastScreen.get(), wallShown.get()]).toEqual([null, false])
})
