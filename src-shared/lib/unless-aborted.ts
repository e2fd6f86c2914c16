/**
 * Resolves as the promise does. Rejects with the signal's reason when that aborts first; `discard` then gets the late
 * value.
 */
export function unlessAborted<T>(
  signal: AbortSignal | null | undefined,
  promise: Promise<T>,
  discard: (late: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) onAbort()
    promise
      .then((value) => (signal?.aborted === true ? discard(value) : resolve(value)), reject)
      .finally(() => signal?.removeEventListener('abort', onAbort))
  })
}
