import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Core } from '../../src-main/core.ts'
import { connect, type Addresses } from '../support/reference.ts'

/** Adds the connection. Resolves with the duration of its first full sync, ms. */
export async function firstSync(core: Core, reference: Addresses): Promise<number> {
  const began = Date.now()
  const done = completed(core, began)
  await connect(core, reference)
  return (await done) - began
}

/** Resolves with the duration of another full sync and the longest stall of the core's event loop in it, ms. */
export async function secondSync(core: Core): Promise<{ took: number; stall: number }> {
  globalThis.gc?.()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const began = Date.now()
  const done = completed(core, began)
  delay.enable()
  await core.handlers['sync.start']({ scope: 'all' })
  const at = await done
  delay.disable()
  return { took: at - began, stall: delay.max / 1e6 }
}

/** Resolves with the time at which a full sync that began after `since` was complete, as the core reports it. */
function completed(core: Core, since: number): Promise<number> {
  return new Promise((resolve) => {
    const off = core.on('connections', ([state]) => {
      if (
        state?.lastReadingAt === null ||
        state?.lastReadingAt === undefined ||
        state.lastReadingAt < since ||
        state.sync.state !== 'idle'
      )
        return
      off()
      resolve(state.lastReadingAt)
    })
  })
}
