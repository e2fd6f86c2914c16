import { textAt } from '../engine/columns/columns.ts'
import { recordFirmwareDay, versionReader } from '../reads/firmware/firmware.ts'
import type { Store } from '../store.ts'

/** Devices that are recorded in one part: some ms of the thread. */
const devicesAtOnce = 2000

/** Records which firmware the devices have, a part of it with each call. */
export interface FirmwareRecording {
  /** Returns true when all of it is recorded; the next call begins anew. `now` in ms. */
  step(now: number): boolean
}

export function newFirmwareRecording(store: Pick<Store, 'inventory' | 'journal'>): FirmwareRecording {
  let work: Generator<undefined, void> | null = null
  return {
    step(now) {
      work ??= record(store, now)
      if (work.next().done !== true) return false
      work = null
      return true
    },
  }
}

/** Nothing is recorded while no column has the firmware. */
function* record({ inventory, journal }: Pick<Store, 'inventory' | 'journal'>, now: number): Generator<undefined> {
  const { rows } = inventory
  if (versionReader(inventory) === null) return
  recordFirmwareDay({ inventory, journal }, now)
  for (let from = 0; from < rows.top; from += devicesAtOnce) {
    yield undefined
    // Between two parts the column may be unloaded, and loaded again as another one.
    const versionOf = versionReader(inventory)
    if (versionOf === null) return
    const seen: { key: string; version: string }[] = []
    for (let slot = from; slot < Math.min(rows.top, from + devicesAtOnce); slot += 1) {
      const version = rows.alive[slot] === 1 ? versionOf(slot) : ''
      if (version !== '') seen.push({ key: textAt(rows.key, slot), version })
    }
    journal.firmwareChanges.see(seen, now)
  }
}
