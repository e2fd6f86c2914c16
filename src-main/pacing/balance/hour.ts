import type { Lane, PointsMinute, UsedPoints } from '../../../src-shared/model/gauge.ts'

/** The points that a credential set used in the last hour, by minute. In memory only: it begins with this run. */
export interface Hour {
  spent(item: { name: string; lane: Lane }, points: number): void
  /** Notes points of other clients that were not noted before. */
  byOthers(points: number): void
  rejected(): void
  /** Notes the balance that the service reported. */
  reported(remaining: number): void
  read(): HourOfPoints
}

/** Times in ms since the epoch. Minutes in which nothing happened are left out; `activities`: the most expensive first. */
export interface HourOfPoints {
  from: number
  until: number
  minutes: PointsMinute[]
  activities: UsedPoints[]
}

const minuteMs = 60_000
const minutesKept = 60

interface Minute extends PointsMinute {
  activities: Map<string, UsedPoints>
}

/** Counts by the minutes of the wall clock: an hour that was slept through is not the last one. */
export function openHour(clock: { now(): number }): Hour {
  const startedAt = clock.now()
  let minutes: Minute[] = []
  const present = (): Minute => {
    const now = clock.now()
    minutes = minutes.filter(({ at }) => isOfHour(at, now))
    const at = now - (now % minuteMs)
    const known = minutes.findLast((minute) => minute.at === at)
    if (known !== undefined) return known
    const minute: Minute = { at, burned: noPoints(), others: 0, rejected: 0, lowest: null, activities: new Map() }
    minutes.push(minute)
    return minute
  }
  return {
    spent({ name, lane }, points) {
      const { burned, activities } = present()
      burned[lane] += points
      add(activities, { name, lane, points, count: 1 })
    },
    byOthers(points) {
      if (points > 0) present().others += points
    },
    rejected() {
      present().rejected += 1
    },
    reported(remaining) {
      const minute = present()
      minute.lowest = Math.min(minute.lowest ?? remaining, remaining)
    },
    read() {
      const now = clock.now()
      const last = minutes.filter(({ at }) => isOfHour(at, now)).toSorted((one, other) => one.at - other.at)
      const activities = new Map<string, UsedPoints>()
      for (const minute of last) for (const used of minute.activities.values()) add(activities, used)
      return {
        // A clock that was set back may lie before the start.
        from: Math.min(now, Math.max(startedAt, firstOf(now))),
        until: now,
        minutes: last.map(({ at, burned, others, rejected, lowest }) => ({
          at,
          burned: { ...burned },
          others,
          rejected,
          lowest,
        })),
        activities: [...activities.values()].toSorted((one, other) => other.points - one.points),
      }
    },
  }
}

const noPoints = (): PointsMinute['burned'] => ({ person: 0, reconcile: 0, visible: 0, background: 0 })

/** Returns the first of the minutes that are kept: this one and those before it. */
const firstOf = (now: number): number => now - (now % minuteMs) - (minutesKept - 1) * minuteMs

/** After a clock was set back, minutes that are now to come are not of the last hour. */
const isOfHour = (at: number, now: number): boolean => at >= firstOf(now) && at <= now

function add(activities: Map<string, UsedPoints>, { name, lane, points, count }: UsedPoints): void {
  const key = `${lane} ${name}`
  const before = activities.get(key)
  activities.set(key, { name, lane, points: points + (before?.points ?? 0), count: count + (before?.count ?? 0) })
}
