import type { InventoryData } from '../../inventory/thread/protocol.ts'
import { isProvable, isReboot, type RunningJob } from '../engine/job.ts'
import type { JobEvent } from '../engine/step.ts'

type TransitionEvent = Extract<JobEvent, { kind: 'transition' }>

/**
 * Returns the transitions of a job's rebooted devices that the journal has since they were sent, the oldest first:
 * Muster may have ended between a transition and its step. Rejects as the data thread does.
 */
export async function missedTransitions(
  data: Pick<InventoryData, 'device'>,
  job: RunningJob,
): Promise<TransitionEvent[]> {
  if (!isReboot(job)) return []
  const events: TransitionEvent[] = []
  for (const target of job.targets.filter(isProvable)) {
    const { device } = await data.device({ key: target.key })
    for (const { at, notBefore, connected } of device?.transitions ?? [])
      if (at >= target.sentAt) events.push({ kind: 'transition', key: target.key, at, notBefore, connected })
  }
  return events.toSorted((one, other) => one.at - other.at)
}
