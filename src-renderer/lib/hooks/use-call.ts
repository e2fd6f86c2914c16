import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { repeat, systemClock } from '../../../src-shared/lib/clock.ts'
import type { Session } from '../session.ts'

export interface Called<T> {
  /** The last answer; null before the first one. */
  value: T | null
  /** True when `value` is the answer for the present key. */
  current: boolean
  set(value: T): void
  /** Calls again, for the present key. */
  again(): void
}

/** Starts repeated calls. Returns the function that stops them. */
export type Repeat = (call: () => Promise<void>) => () => void

/**
 * Returns the answer of `call`, which runs once for each `key` (null: not at all) and whenever `repeat` says so. An
 * answer that arrives after the key has changed, or the component has unmounted, is dropped. The last answer stays
 * until the next one arrives; it also stays when `call` returns null.
 */
export function useCall<T>(
  key: string | null,
  call: (last: T | null) => Promise<T | null>,
  repeat?: Repeat,
): Called<T> {
  const [last, setLast] = useState<{ key: string | null; value: T } | null>(null)
  const loading = useRef<(() => Promise<void>) | null>(null)
  const run = useEffectEvent(() => call(last?.value ?? null))
  const start = useEffectEvent((load: () => Promise<void>) => repeat?.(load))
  useEffect(() => {
    if (key === null) return undefined
    let wanted = true
    const load = async () => {
      const value = await run()
      if (wanted && value !== null) setLast({ key, value })
    }
    loading.current = load
    void load()
    const stop = start(load)
    return () => {
      wanted = false
      stop?.()
    }
  }, [key])
  return {
    value: last?.value ?? null,
    current: last !== null && last.key === key,
    set: (value) => setLast({ key, value }),
    again: () => void loading.current?.(),
  }
}

/** Calls again every `ms`. */
export const every =
  (ms: number): Repeat =>
  (call) =>
    repeat(systemClock, ms, () => void call())

/** Calls again after the fleet has changed, at most every `ms`. */
export const afterChanges =
  (session: Session, ms: number): Repeat =>
  (call) => {
    let cancel: (() => void) | null = null
    const off = session.onChange(() => {
      cancel ??= systemClock.after(ms, () => {
        cancel = null
        void call()
      })
    })
    return () => {
      off()
      cancel?.()
    }
  }
