import type { Clock } from '../../src-shared/lib/clock.ts'
import { startLoopMonitor, type LoopMonitor } from '../inventory/thread/loop-monitor.ts'
import { createSchemaDrift, type SchemaDrift } from './schema-drift.ts'
import { createStartupTimes, type StartupTimes } from './startup-times.ts'

/** The records of a run about itself. */
export interface Self {
  marks: StartupTimes
  /** Delays of the core's event loop. */
  loop: LoopMonitor
  findings: SchemaDrift
  stop(): void
}

/** Starts the records; called first. */
export function startSelf(clock: Clock): Self {
  const marks = createStartupTimes(clock, performance.timeOrigin)
  marks.mark('core')
  const loop = startLoopMonitor()
  return { marks, loop, findings: createSchemaDrift(clock), stop: loop.stop }
}
