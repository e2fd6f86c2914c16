import { useEffect, useEffectEvent } from 'react'
import { useAppContext } from '../lib/context.ts'
import { shellOf } from '../lib/session.ts'

/**
 * Fills the screen while the wall display is shown, and keeps the screen on. A browser fills the screen only after a key or a press: a
 * wall that was opened by an address stays in its window until one. `onLeave`: the operator left the full screen of the browser.
 */
export function useFullScreen(onLeave: () => void): void {
  const { session } = useAppContext()
  const left = useEffectEvent(onLeave)
  useEffect(() => {
    const isDesktop = shellOf(session) === 'electron'
    const set = (on: boolean) => {
      if (isDesktop) void session.pipe.call('windows.fullScreen', { on })
      else if (on) document.documentElement.requestFullscreen().catch(() => undefined)
      else if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined)
    }
    const onChange = () => {
      if (document.fullscreenElement === null) left()
    }
    set(true)
    document.addEventListener('fullscreenchange', onChange)
    return () => {
      document.removeEventListener('fullscreenchange', onChange)
      set(false)
    }
  }, [session])
  useEffect(keepScreenOn, [])
}

/** Keeps the screen on, also after the window was hidden for a while. Where the system refuses, its own settings hold. */
function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | null = null
  let isWanted = true
  const take = () => {
    if (document.visibilityState !== 'visible') return
    navigator.wakeLock?.request('screen').then(
      (taken) => {
        if (isWanted) lock = taken
        else void taken.release()
      },
      () => undefined,
    )
  }
  take()
  document.addEventListener('visibilitychange', take)
  return () => {
    isWanted = false
    document.removeEventListener('visibilitychange', take)
    void lock?.release()
  }
}
