import type { Clock } from '../../src-shared/clock.ts'
import { startLoop, type Loop } from '../data/loop.ts'
import { createFindings, type Findings } from './findings.ts'
import { createStartMarks, type StartMarks } from './start-marks.ts'

/** What a run notes about itself from its first moment on. */
export interface Self {
  marks: StartMarks
  /** Of the core's thread. */
  loop: Loop
  findings: Findings
  stop(): void
}

/** To be called first of all. */
export function startSelf(clock: Clock): Self {
  const marks = createStartMarks(clock, performance.timeOrigin)
  marks.mark('core')
  const loop = startLoop()
  return { marks, loop, findings: createFindings(clock), stop: loop.stop }
}
