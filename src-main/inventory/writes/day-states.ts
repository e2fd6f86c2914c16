import { dayMs, dayStates } from '../../storage/journal/day-states.ts'
import { retentionMs } from '../../storage/journal/pruning.ts'
import { at } from '../engine/columns/columns.ts'
import type { Store } from '../store.ts'

/** Devices, and transitions, that are read in one part. */
const [devicesAtOnce, statesAtOnce, transitionsAtOnce] = [20_000, 400, 3000]
/** Days that are written in one transaction. */
const daysAtOnce = 8
/** Pages that are read beyond the oldest day: what was entered before a clock was set back (journal/history.ts). */
const pagesBeyond = 17

/** Writes the states at the beginnings of days (journal/day-states.ts) that are missing, and does a part of it with each call. */
export interface DayFilling {
  /** Returns true when no day is missing. `now` in ms. */
  step(now: number): boolean
}

export function newDayFilling({ journal }: Pick<Store, 'journal'>): DayFilling {
  let work: Generator<undefined, void> | null = null
  let removals = -1
  return {
    step(now) {
      // Something of an earlier time was entered: what is written from here on could be wrong.
      if (removals !== journal.days.removals()) work = null
      work ??= fill(journal, now)
      removals = journal.days.removals()
      if (work.next().done !== true) return false
      work = null
      return missingDays(journal, now).length === 0
    },
  }
}

/** Returns the days within the retention, up to today's, that are not written. */
function missingDays({ days }: Store['journal'], now: number): number[] {
  const [first, today] = [Math.floor((now - retentionMs) / dayMs) + 1, Math.floor(now / dayMs)]
  return Array.from({ length: today - first + 1 }, (_, index) => first + index).filter((day) => !days.has(day))
}

/** The devices by position, as they are before the transitions that were not visited yet. */
interface Devices {
  positionOf: ReadonlyMap<string, number>
  states: Uint8Array
  knownSince: Float64Array
  /** The earliest of them; Infinity without a device. */
  firstKnown: number
  /** Where the state begins that follows: from there on nobody saw which of them held. */
  changesFrom: Float64Array
  /** The time of the transition that was visited last; Infinity before the first. */
  visitedAt: Float64Array
}

/** Goes back from now through the transitions, and writes each day's beginning as it is passed. */
function* fill(journal: Store['journal'], now: number): Generator<undefined, void> {
  const { history, days } = journal
  const missing = new Set(missingDays(journal, now))
  if (missing.size === 0) return
  const today = Math.floor(now / dayMs)
  const oldest = [...missing].reduce((one, other) => Math.min(one, other), today)
  days.assign(today)
  const devices = yield* presentDevices(journal)
  let day = today
  /** Days that are not on disk yet. */
  let ready: { day: number; states: Uint8Array }[] = []
  const written = new Set<number>()
  function* write() {
    days.write(ready)
    ready = []
    yield undefined
  }
  /** Passes the beginnings of the days after `until`: they are as before the transitions that were visited. */
  function* pass(until: number) {
    for (; day > until && day >= oldest; day -= 1) {
      if (!missing.has(day)) continue
      ready.push({ day, states: statesAt(devices, day * dayMs) })
      written.add(day)
      if (ready.length >= daysAtOnce) yield* write()
    }
  }
  let before: number | null = null
  for (let left = pagesBeyond; left > 0; left -= day < oldest ? 1 : 0) {
    yield undefined
    const page: Entry[] = []
    before = history.pageBack(before, transitionsAtOnce, (key, time, notBefore, connected) =>
      page.push({ position: devices.positionOf.get(key) ?? -1, time, notBefore, connected }),
    )
    const late: Correction[] = []
    for (const entry of page) {
      const its = Math.floor(entry.time / dayMs)
      yield* pass(its)
      if (entry.position === -1) continue
      devices.states[entry.position] = entry.connected ? dayStates.offline : dayStates.online
      devices.changesFrom[entry.position] = entry.notBefore ?? entry.time
      // Times are not always in the order of entry: this one is of days that were passed.
      for (let passed = day + 1; passed <= its; passed += 1)
        if (written.has(passed)) {
          const { position } = entry
          // Where a device's own times are not in order, nothing is certain of what was between them.
          const isUnclear = at(devices.visitedAt, position) < passed * dayMs
          late.push({ day: passed, position, state: isUnclear ? null : stateAt(devices, position, passed * dayMs) })
        }
      devices.visitedAt[entry.position] = entry.time
    }
    yield* write()
    correct(days, late)
    if (before === null) break
  }
  yield* pass(oldest - 1)
  days.write(ready)
}

interface Entry {
  position: number
  time: number
  notBefore: number | null
  connected: boolean
}

/** What a device was at the beginning of a day that was written otherwise. */
interface Correction {
  day: number
  position: number
  /** Null: the day cannot be told so. */
  state: number | null
}

/** Writes days anew with these corrections, of which the last one of a device holds. */
function correct(days: Store['journal']['days'], late: readonly Correction[]): void {
  const corrected = new Map<number, Uint8Array | null>()
  for (const { day, position, state } of late) {
    const states = corrected.has(day) ? (corrected.get(day) ?? null) : days.read(day)
    if (states !== null && state !== null) states[position] = state
    corrected.set(day, state === null ? null : states)
  }
  days.write(Array.from(corrected, ([day, states]) => ({ day, states })))
}

function* presentDevices({ history, days }: Store['journal']): Generator<undefined, Devices> {
  const positionOf = new Map<string, number>()
  const keys: string[] = []
  let after: number | null = 0
  while (after !== null) {
    after = days.devices(after, devicesAtOnce, (position, key) => {
      positionOf.set(key, position)
      keys.push(key)
    })
    yield undefined
  }
  const count = [...positionOf.values()].reduce((one, other) => Math.max(one, other + 1), 0)
  const devices = {
    positionOf,
    states: new Uint8Array(count),
    knownSince: new Float64Array(count).fill(Infinity),
    firstKnown: Infinity,
    changesFrom: new Float64Array(count).fill(Infinity),
    visitedAt: new Float64Array(count).fill(Infinity),
  }
  for (let start = 0; start < keys.length; start += statesAtOnce) {
    const part = keys.slice(start, start + statesAtOnce)
    history.states(part).forEach((state, index) => {
      const position = positionOf.get(part[index] ?? '')
      if (state === null || position === undefined) return
      devices.states[position] = state.connected ? dayStates.online : dayStates.offline
      devices.knownSince[position] = state.knownSince
      devices.firstKnown = Math.min(devices.firstKnown, state.knownSince)
    })
    yield undefined
  }
  return devices
}

function statesAt(devices: Devices, time: number): Uint8Array {
  // Most days of a new journal: devices beyond the length have no state.
  if (time < devices.firstKnown) return new Uint8Array(1)
  return devices.states.map((_, position) => stateAt(devices, position, time))
}

function stateAt({ states, knownSince, changesFrom }: Devices, position: number, time: number): number {
  if (at(knownSince, position) > time) return dayStates.none
  return at(changesFrom, position) <= time ? dayStates.uncertain : at(states, position)
}
