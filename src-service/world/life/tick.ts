/**
 * Does `work` every `ms` milliseconds until the function that is returned is called. What goes wrong in it, a full disk say,
 * ends nothing: it is told once on standard error, with `what` before it, and once more when `work` gets through again.
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
