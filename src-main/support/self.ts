import type { Clock } from '../../src-shared/lib/clock.ts'
import { startLoopMonitor, type LoopMonitor } from '../inventory/thread/loop-monitor.ts'
import { createSchemaDrift, type SchemaDrift } from './schema-drift.ts'
import { createStartupTimes, type StartupTimes } from './startup-times.ts'

/** What a run notes about itself from its first moment on. */
export interface Self {
  marks: StartupTimes
  /** Of the core's thread. */
  loop: LoopMonitor
  findings: SchemaDrift
  stop(): void
}

/** To be called first of all. */
export function startSelf(clock: Clock): Self {
  const marks = createStartupTimes(clock, performance.timeOrigin)
  marks.mark('core')
  const loop = startLoopMonitor()
  return { marks, loop, findings: createSchemaDrift(clock), stop: loop.stop }
}
