import type { JobPlan } from '../../../../src-shared/model/jobs.ts'
import { manualClock } from '../../../support/clock.ts'
import { plan, sheetJob, simulatedWorld, type Disturbance, type Fate } from './simulated.ts'

export const minutes = 60_000

/** Starts a job of reboots, one device for each fate. */
export async function opened(fates: Fate[], more: Partial<JobPlan> = {}, disturbances: Disturbance[] = []) {
  const clock = manualClock()
  const world = simulatedWorld(clock, fates, disturbances)
  await world.jobs().restore()
  const id = await world.jobs().start(sheetJob(fates.length), { ...plan, ...more })
  const stored = () => world.disk.get(id)
  return {
    clock,
    world,
    id,
    state: () => stored()?.record.state,
    outcomes: () => stored()?.targets.map(({ outcome }) => outcome),
    target: (at: number) => stored()?.targets[at],
  }
}
