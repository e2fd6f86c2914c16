import type { Rota } from '../../src-shared/model/channels.ts'
import type { Zones } from '../../src-shared/maintenance/zones.ts'

const dayMs = 24 * 3_600_000
const minuteMs = 60_000

/** Returns who is on shift at a time (ms). The shift changes at the rota's time of day in the zone, whatever the clocks do that day. */
export function onShift(
  { people, every, at, from }: Rota,
  zones: Pick<Zones, 'offsetAt' | 'firstAt'>,
  zone: string,
  now: number,
): Rota['people'][number] | null {
  const minutes = Number(at.slice(0, 2)) * 60 + Number(at.slice(3))
  const today = Math.floor((now + zones.offsetAt(zone, now)) / dayMs)
  const hasChanged = now >= zones.firstAt(zone, today * dayMs + minutes * minuteMs)
  const first = Math.floor(Date.parse(`${from}T00:00:00Z`) / dayMs)
  const turns = Math.floor((today - (hasChanged ? 0 : 1) - first) / (every === 'week' ? 7 : 1))
  return people[((turns % people.length) + people.length) % people.length] ?? null
}
