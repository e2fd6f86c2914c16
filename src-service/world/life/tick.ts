/**
 * Runs `work` every `ms` milliseconds until the returned function is called. An error, such as a full disk, is reported
 * once on standard error with `what`, and once more when `work` succeeds again.
 */
export function startTick(what: string, ms: number, work: () => void): () => void {
  let broken = false
  const timer = setInterval(() => {
    try {
      work()
      if (broken) console.error(`${what}: it works again`)
      broken = false
    } catch (error) {
      if (!broken)
        console.error(
          `${what}: ${error instanceof Error ? error.message : String(error)}. It is tried again until it works.`,
        )
      broken = true
    }
  }, ms)
  return () => clearInterval(timer)
}
