import type { PastTransition } from '../../storage/journal/made-up-past.ts'
import { connectedAt, textAt, timeAt } from '../engine/columns/columns.ts'
import { roomOf, slotsOf } from '../engine/inventory.ts'
import type { Store } from '../store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** How far back the past reaches. */
const pastDays = 183
/** How far back its transitions are returned: these get incidents. */
const latestDays = 14
/** Outages a week: of most devices, of one in thirty, and of a site as a whole. */
const [usualRate, badRate, siteRate] = [0.12, 2.5, 0.06]
const badEvery = 30
/** Most transitions: more devices have fewer outages each. */
const maxTransitions = 100_000
/** Share of a device's own outages that last for hours or days. */
const longShare = 0.15
/** Outages with less between them are one. */
const leastBetween = 2 * minuteMs

/** A time (ms) in which a device was offline. */
type Outage = readonly [from: number, until: number]

/** The time to fill, ms, and numbers from 0 up to 1. */
interface Span {
  from: number
  now: number
  random: () => number
}

/**
 * Makes up the past of a demo, once: for half a year before now each device was online except in outages of its own and of its site. What
 * it does now stays as it is. Returns the number of transitions, 0 where a past was made up before, and those of the last two weeks in
 * their order.
 */
export function makeUpPast(
  { inventory, journal }: Store,
  { now }: { now: number },
): { count: number; latest: PastTransition[] } {
  if (journal.madeUpPast.exists()) return { count: 0, latest: [] }
  const from = now - pastDays * dayMs
  const random = randomFrom(now)
  const span: Span = { from, now, random }
  const { rows } = inventory
  const weeks = pastDays / 7
  const expected = rows.count * weeks * (usualRate + badRate / badEvery + siteRate) * 2
  const scale = Math.min(1, maxTransitions / Math.max(1, expected))
  const outagesOfSites = new Map<number, readonly Outage[]>()
  const siteOutages = (place: number): readonly Outage[] => {
    const known = outagesOfSites.get(place) ?? outagesIn(span, { count: siteRate * weeks * scale, long: 0 })
    outagesOfSites.set(place, known)
    return known
  }
  const firstStates = journal.madeUpPast.firstStates()
  const transitions: PastTransition[] = []
  for (const tenant of inventory.tenants.values())
    for (const slot of slotsOf(inventory, tenant)) {
      const key = textAt(rows.key, slot)
      const connected = firstStates.get(key) ?? connectedAt(rows, slot)
      if (connected === null) continue
      const site = roomOf(inventory, slot).parent
      const rate = random() < 1 / badEvery ? badRate : usualRate
      const jitter = () => random() * 20_000
      const all = merged([
        ...outagesIn(span, { count: rate * weeks * scale, long: longShare }),
        ...(site === null ? [] : siteOutages(site.index)).map(([begin, end]): Outage => [
          begin + jitter(),
          end + jitter(),
        ]),
      ])
      const end = connected ? now - hourMs : offlineSince(timeAt(rows.times.lastDetected, slot), span)
      for (const transition of transitionsOf(key, all, end, connected)) transitions.push(transition)
    }
  journal.madeUpPast.write(transitions, from)
  const latest = transitions
    .filter(({ at }) => at > now - latestDays * dayMs)
    .toSorted((one, other) => one.at - other.at)
  return { count: transitions.length, latest }
}

/** Returns when an offline device went offline: when the service last saw it, or some time in the last two days. */
function offlineSince(lastDetected: number | null, { from, now, random }: Span): number {
  const isUsable = lastDetected !== null && lastDetected > from + dayMs && lastDetected < now
  return isUsable ? lastDetected : now - minuteMs - random() * 2 * dayMs
}

/** Returns outages between two times, most of them in the hours of work. `count`: how many on average. `long`: share of long ones. */
function outagesIn({ from, now: until, random }: Span, { count, long }: { count: number; long: number }): Outage[] {
  const outages: Outage[] = []
  for (let left = count + random(); left >= 1; left -= 1) {
    const day = from + Math.floor(random() * ((until - from) / dayMs)) * dayMs
    const hour = random() < 0.7 ? 7 + random() * 11 : random() * 24
    const begin = new Date(day).setUTCHours(0, 0, 0, 0) + hour * hourMs
    const length = random() < long ? (4 + random() ** 2 * 56) * hourMs : (3 + random() ** 3 * 150) * minuteMs
    outages.push([begin, begin + length])
  }
  return outages.filter(([begin, end]) => begin > from && end < until)
}

function merged(outages: readonly Outage[]): Outage[] {
  const all: Outage[] = []
  for (const next of outages.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1)
    if (last === undefined || next[0] - last[1] > leastBetween) all.push(next)
    else all[all.length - 1] = [last[0], Math.max(last[1], next[1])]
  }
  return all
}

/** Returns the transitions of a device, the last of which leads to what it does now. */
function transitionsOf(key: string, outages: readonly Outage[], end: number, connected: boolean): PastTransition[] {
  const past = outages
    .filter(([, until]) => until < end - leastBetween)
    .flatMap(([begin, until]): PastTransition[] => [
      { key, at: Math.round(begin), connected: false },
      { key, at: Math.round(until), connected: true },
    ])
  return connected ? past : [...past, { key, at: Math.round(end), connected: false }]
}

/** Numbers from 0 up to 1 that follow from the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
