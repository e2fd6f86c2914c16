import type { CallOutput } from '../../../src-shared/contract/contract.ts'

type Tenants = CallOutput<'overview.day'>['tenants']

/** Devices in parts of a span (ms), as means over each part; null where nothing has data. */
export interface Line {
  from: number
  until: number
  values: readonly (number | null)[]
}

/** The span of `up` and `down`: numbers of devices with data that were online and offline, by part. */
export interface Day {
  from: number
  until: number
  up: readonly number[]
  down: readonly number[]
}

/** Devices fewer than this count as none: device-ms are rounded. */
const least = 0.005

/** Returns the sum of all tenants. */
export function fleetDay({ from, until, tenants }: { from: number; until: number; tenants: Tenants }): Day {
  const parts = tenants.reduce((most, { up }) => Math.max(most, up.length), 0)
  const sum = (pick: (tenant: Tenants[number]) => readonly number[]) =>
    Array.from({ length: parts }, (_, part) => tenants.reduce((all, tenant) => all + (pick(tenant)[part] ?? 0), 0))
  return { from, until, up: sum(({ up }) => up), down: sum(({ down }) => down) }
}

export type Quantity = 'online' | 'offline' | 'unknown' | 'share'

/** Returns the course of a number. `devices`: how many there are, of which those without data are unknown. */
export function lineOf({ from, until, up, down }: Day, quantity: Quantity, devices: number): Line {
  return {
    from,
    until,
    values: up.map((online, part) => {
      const offline = down[part] ?? 0
      if (online + offline < least) return null
      switch (quantity) {
        case 'online':
          return online
        case 'offline':
          return offline
        case 'unknown':
          return Math.max(0, devices - online - offline)
        case 'share':
          return online / (online + offline)
        default:
          return quantity satisfies never
      }
    }),
  }
}

/** Returns the start (ms) of the first part with data; null where there is none. */
export function dataSince({ from, until, values }: Line): number | null {
  const first = values.findIndex((value) => value !== null)
  return first === -1 ? null : from + (first * (until - from)) / values.length
}

/** Returns the last value that there is, and the lowest and highest one, with the start (ms) of their parts. */
export function extremesOf({ from, until, values }: Line): {
  last: number
  low: { value: number; at: number }
  high: { value: number; at: number }
} | null {
  let found: ReturnType<typeof extremesOf> = null
  values.forEach((value, part) => {
    if (value === null) return
    const at = from + (part * (until - from)) / values.length
    found = {
      last: value,
      low: found === null || value < found.low.value ? { value, at } : found.low,
      high: found === null || value > found.high.value ? { value, at } : found.high,
    }
  })
  return found
}
