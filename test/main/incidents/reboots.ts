import type { ExpectedReboot } from '../../../src-shared/model/jobs.ts'
import type { Drop } from '../../../src-main/incidents/engine/drops/drop.ts'
import { keyOf, type World } from './world.ts'

const second = 1_000
const minute = 60 * second

/** Reboots of devices of Acme that are sent now, with ten minutes each. */
export const rebootsOf = ({ clock }: World, ids: readonly string[], ms = 10 * minute): ExpectedReboot[] =>
  ids.map((id) => ({ key: keyOf('acme', id), job: 'job-1', sentAt: clock.now(), until: clock.now() + ms }))

/** Announces reboots of these devices and drops them a while later. */
export async function reboot(it: World, ids: readonly string[], afterMs = 20 * second): Promise<ExpectedReboot[]> {
  const reboots = rebootsOf(it, ids)
  it.alerts().expectReboots(reboots)
  await it.clock.advance(afterMs)
  await it.drop(...ids)
  return reboots
}

export const dropOf = (it: World, id: string): Drop | undefined => it.alerts().state().drops.get(keyOf('acme', id))
