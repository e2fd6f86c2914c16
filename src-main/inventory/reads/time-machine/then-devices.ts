import type { CallInput, CallOutput } from '../../../../src-shared/contract/contract.ts'
import type { ThenState } from '../../../../src-shared/contract/overview-calls.ts'
import type { DevicePlace } from '../../../storage/journal/device-places.ts'
import { dayMs, dayStates } from '../../../storage/journal/day-states.ts'
import { everything } from '../../keys.ts'
import { textAt } from '../../engine/columns/columns.ts'
import { fold } from '../../engine/filter/fold.ts'
import { roomOf } from '../../engine/inventory.ts'
import { rowAt } from '../../engine/view.ts'
import type { Store } from '../../store.ts'
import { createScan, type Scan } from '../overview/scan.ts'
import { statesOfSlots } from './fleet-then.ts'
import { dayOf, type PastDay } from './past-day.ts'
import { holdsAt, pastDevice } from './past-device.ts'

type Input = CallInput<'overview.thenDevices'>
type Answer = CallOutput<'overview.thenDevices'>

/** Names and places that held at some time of a day, by device, in their order. */
export type DayNames = ReadonlyMap<string, readonly DevicePlace[]>

/** The names and places of past days of a data thread: those of the last day are kept. */
export interface PastNames {
  /** Reads a part of the day of a time. Null while it is not done; to be repeated. Times in ms. */
  step(time: number, now: number): DayNames | null
}

const [maxAge, intervalsAtOnce] = [10 * 60_000, 4000]

export function newPastNames({ journal }: Pick<Store, 'journal'>): PastNames {
  let present: { day: number; scan: Scan<DayNames> } | null = null
  return {
    step(time, now) {
      const day = dayOf(time)
      if (present?.day !== day) present = { day, scan: createScan(() => readNames(journal.history, day), maxAge) }
      return present.scan.step(now)
    },
  }
}

function* readNames(history: Store['journal']['history'], begin: number): Generator<undefined, DayNames> {
  const names = new Map<string, DevicePlace[]>()
  let after: { key: string; position: number } | null = null
  do {
    yield undefined
    after = history.placesPage(after, intervalsAtOnce, (key, interval) => {
      if (interval.from >= begin + dayMs || (interval.until !== null && interval.until <= begin)) return
      const known = names.get(key)
      if (known === undefined) names.set(key, [interval])
      else known.push(interval)
    })
  } while (after !== null)
  return names
}

const stateNames = ['none', 'offline', 'online', 'uncertain'] as const satisfies readonly ThenState[]

/** Answers `overview.thenDevices`. `names`: of the day; null where no text is searched. */
export function devicesThen(store: Store, day: PastDay, names: DayNames | null, input: Input): Answer {
  const { inventory } = store
  const { rows } = inventory
  const states = statesOfSlots(store, day, input.at)
  const mask = inventory.filters.matching({ scope: input.place ?? everything, filter: '' }, 0)?.mask ?? rows.alive
  const wanted = fold(input.text.trim())
  const isShown = new Set(input.states)
  const counts: Answer['counts'] = { none: 0, offline: 0, online: 0, uncertain: 0 }
  const page: number[] = []
  let total = 0
  for (const slot of inventory.orders.sorted([])) {
    if (mask[slot] !== 1) continue
    const state = stateNames[states[slot] ?? dayStates.none] ?? 'none'
    if (wanted !== '' && !textsOf(store, slot, input.at, names).some((text) => fold(text).includes(wanted))) continue
    counts[state] += 1
    if (isShown.size > 0 && !isShown.has(state)) continue
    if (total >= input.offset && page.length < input.limit) page.push(slot)
    total += 1
  }
  return {
    at: input.at,
    counts,
    total,
    devices: page.map((slot) => ({
      ...pastDevice(store, slot, input.at),
      state: stateNames[states[slot] ?? dayStates.none] ?? 'none',
    })),
  }
}

/** Returns the texts of a device that a search looks at, as they were. */
function textsOf({ inventory }: Store, slot: number, time: number, names: DayNames | null): string[] {
  const then = names?.get(textAt(inventory.rows.key, slot))?.find(holdsAt(time))
  const { name, site, room } = then ?? rowAt(inventory, slot)
  return [name, site?.name ?? '', room?.name ?? '', roomOf(inventory, slot).tenant?.name ?? '']
}
