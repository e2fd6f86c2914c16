import type { DevicePlace } from '../../storage/journal/device-places.ts'

/**
 * Returns the intervals of a device in which it had another name or place. The account of a site is read after the
 * devices: an interval that differs from the one before only by having an account is joined to it.
 */
export function joinedPlaces(intervals: readonly DevicePlace[]): DevicePlace[] {
  const joined: DevicePlace[] = []
  for (const interval of intervals) {
    const last = joined.at(-1)
    if (last === undefined || !isAccountAlone(last, interval)) joined.push(interval)
    else joined[joined.length - 1] = { ...interval, from: last.from }
  }
  return joined
}

const isAccountAlone = (last: DevicePlace, next: DevicePlace): boolean =>
  last.account === null && next.account !== null && last.until === next.from && placeOf(last) === placeOf(next)

const placeOf = ({ name, site, room }: DevicePlace): string => JSON.stringify([name, site, room])
