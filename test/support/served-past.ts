import { openMemory } from '../../src-main/secrets/memory.ts'
import type { Service } from '../../src-service/service.ts'
import { service, temporaryProfile } from './fleet.ts'
import { writePast } from './past.ts'
import { readFleet, serve, whenListening, type Served } from './window.ts'

/** A Muster that listens to a service of 240 devices, with so many days of a made-up past in its journal. */
export async function servedWithPast(
  leftovers: Parameters<typeof serve>[0],
  days: number,
): Promise<{ reference: Service; served: Served }> {
  const reference = await service(leftovers, { devices: 240, tenants: 3, life: false })
  const [profile, secrets] = [temporaryProfile(leftovers), openMemory('a test’s keychain')]
  const before = await serve(leftovers, profile, { secrets })
  await readFleet(before.muster, reference)
  await before.stop()
  writePast(profile, { days, now: Date.now(), outages: 2, seed: 7 })
  const served = await serve(leftovers, profile, { secrets })
  await whenListening(served.muster, reference)
  return { reference, served }
}
