import type { PolicyPlace } from '../../src-shared/model/incidents.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'

/** Which nodes with policies the fleet lists now, and the accounts of their sites and rooms. */
export interface PolicyPlaces {
  known(): readonly PolicyPlace[]
  /** Reads them again. Resolves with whether they differ. A reading that fails changes nothing: the next one comes. */
  read(): Promise<boolean>
}

/** Reads the places at once. `nodes`: returns those with policies. */
export async function openPolicyPlaces(
  data: Pick<InventoryData, 'policyPlaces'>,
  nodes: () => string[],
): Promise<PolicyPlaces> {
  let places: readonly PolicyPlace[] = []
  let running: Promise<boolean> | null = null
  let next: Promise<boolean> | null = null

  async function readOnce(): Promise<boolean> {
    const asked = nodes()
    const before = JSON.stringify(places)
    places = asked.length === 0 ? [] : await data.policyPlaces({ nodes: asked }).catch(() => places)
    return JSON.stringify(places) !== before
  }

  /** While one reading runs, all later calls share the one after it. */
  function read(): Promise<boolean> {
    if (running === null) {
      running = readOnce().finally(() => {
        running = null
      })
      return running
    }
    next ??= running.then(() => {
      next = null
      return read()
    })
    return next
  }

  await read()
  return { known: () => places, read }
}
