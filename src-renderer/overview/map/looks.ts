import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { span } from '../../lib/format/time.ts'
import { shareText } from '../../incidents/availability/format.ts'

/** What the colour of a tile says. */
export const colourings = [
  { value: 'state', word: 'State' },
  { value: 'availability', word: 'Availability, 7 d' },
  { value: 'disconnects', word: 'Disconnects, 7 d' },
  { value: 'firmware', word: 'Firmware behind target' },
  { value: 'age', word: 'Age of the data' },
] as const
export type Colouring = (typeof colourings)[number]['value']

/** What the area of a tile says. */
export const sizings = [
  { value: 'devices', word: 'Devices' },
  { value: 'offline', word: 'Offline devices' },
  { value: 'equal', word: 'All the same' },
] as const
export type Sizing = (typeof sizings)[number]['value']

export interface TileCounts {
  offline: number
  unknown: number
  online: number
}

export type TileHistory = Omit<CallOutput<'overview.places'>['places'][number], 'id'>
export type TileFacts = Omit<CallOutput<'overview.facts'>['places'][number], 'id'>

/** What a colouring shows of a tile, beside its counts. */
export type TileData = TileHistory | TileFacts

/** Returns the areas of tiles; one without devices has none. */
export function sizesOf(sizing: Sizing, devices: readonly number[], counts: readonly number[]): readonly number[] {
  switch (sizing) {
    case 'devices':
      return devices
    case 'offline':
      return devices.map((_, tile) => countsAt(counts, tile).offline)
    case 'equal':
      return devices.map((count) => Number(count > 0))
  }
}

/**
 * How a tile is drawn. Colour never says anything alone: `fill` is the share of its height, from below, in the colour `tone`,
 * and `hatched` the share from above that is hatched, without data. Their sum is at most 1.
 */
export interface Look {
  fill: number
  tone: 'bad' | 'warn'
  hatched: number
}

export const totalOf = ({ offline, unknown, online }: TileCounts): number => offline + unknown + online

/** Returns the counts of a tile from those of all (`overview.map`). */
export function countsAt(counts: readonly number[], tile: number): TileCounts {
  const [offline = 0, unknown = 0, online = 0] = counts.slice(tile * 3, tile * 3 + 3)
  return { offline, unknown, online }
}

export function lookOf(colouring: Colouring, counts: TileCounts, data: TileData | undefined): Look {
  const total = totalOf(counts)
  if (colouring === 'state')
    return total === 0
      ? { fill: 0, tone: 'bad', hatched: 1 }
      : { fill: counts.offline / total, tone: 'bad', hatched: counts.unknown / total }
  const step = data === undefined ? null : stepOf(colouring, data, Math.max(1, total))
  if (step === null) return { fill: 0, tone: 'warn', hatched: 1 }
  return { fill: fills[step] ?? 0, tone: 'warn', hatched: 0 }
}

/** Returns how bad a tile is, from 0 to 4; null without data. */
function stepOf(colouring: Exclude<Colouring, 'state'>, data: TileData, devices: number): number | null {
  if ('up' in data)
    return colouring === 'availability' ? availabilityStep(data) : disconnectsStep(data.disconnects, devices)
  if (colouring === 'age') return upTo(ages, data.age)
  return data.known === 0 ? null : upTo(behindShares, data.behind / data.known)
}

/** The height of each step: the worse, the higher. */
const fills = [0, 0.2, 0.45, 0.7, 1] as const
/** Shares of time online from which a step begins, and disconnects of each device from which it begins. */
const shares = [0.999, 0.99, 0.95, 0.8] as const
const rates = [0, 0.5, 1, 3] as const
/** Shares of devices behind their target, and ages (ms), up to which a step goes. */
const behindShares = [0, 0.05, 0.2, 0.5] as const
const ages = [15 * 60_000, 3_600_000, 24 * 3_600_000, 7 * 24 * 3_600_000] as const

function availabilityStep({ up, down }: TileHistory): number {
  const share = up / (up + down)
  const step = shares.findIndex((least) => share >= least)
  return step === -1 ? shares.length : step
}

const disconnectsStep = (disconnects: number, devices: number): number => upTo(rates, disconnects / devices)

function upTo(greatest: readonly number[], value: number): number {
  const step = greatest.findIndex((each) => value <= each)
  return step === -1 ? greatest.length : step
}

/** A line of the legend. */
export interface LegendLine {
  look: Look
  word: string
}

const stepWords: Readonly<Record<Exclude<Colouring, 'state'>, readonly string[]>> = {
  availability: ['99.9 % and more', '99 %', '95 %', '80 %', 'less'],
  disconnects: ['none', 'to 0.5 a device', 'to 1', 'to 3', 'more'],
  firmware: ['all on target', 'to 5 % behind', 'to 20 %', 'to 50 %', 'more'],
  age: ['to 15 min', 'to 1 h', 'to 1 d', 'to 7 d', 'older'],
}

/** Returns the legend of a colouring, the best first. */
export function legendOf(colouring: Colouring): readonly LegendLine[] {
  if (colouring === 'state')
    return [
      { look: { fill: 0, tone: 'bad', hatched: 0 }, word: 'online' },
      { look: { fill: 0.4, tone: 'bad', hatched: 0 }, word: 'share offline' },
      { look: { fill: 1, tone: 'bad', hatched: 0 }, word: 'all offline' },
      { look: { fill: 0, tone: 'bad', hatched: 1 }, word: 'unknown' },
    ]
  return [
    ...stepWords[colouring].map((word, step) => ({
      look: { fill: fills[step] ?? 0, tone: 'warn' as const, hatched: 0 },
      word,
    })),
    { look: { fill: 0, tone: 'warn', hatched: 1 }, word: 'no data' },
  ]
}

/** Returns for example "3 of 24 offline, 2 unknown"; "24 online" where all are. */
export function countsText(counts: TileCounts): string {
  const { offline, unknown, online } = counts
  const total = totalOf(counts)
  if (total === 0) return 'no devices'
  if (online === total) return `${numberText(total)} online`
  const parts = [
    offline > 0 && `${numberText(offline)} of ${numberText(total)} offline`,
    unknown > 0 &&
      (offline > 0 ? `${numberText(unknown)} unknown` : `${numberText(unknown)} of ${numberText(total)} unknown`),
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/**
 * Returns what a colouring shows of a tile, for example "97.2 % online in 7 days, 12 disconnects", or "3 of 24 behind target".
 */
export function dataText(colouring: Exclude<Colouring, 'state'>, data: TileData | undefined): string {
  if (data === undefined) return isOfWeek(colouring) ? 'no data in 7 days' : 'no data'
  if (!('up' in data)) return factsText(colouring, data)
  const { up, down, disconnects } = data
  return `${shareText(up, up + down)} online in 7 days, ${many(disconnects, 'disconnect')}`
}

export const isOfWeek = (colouring: Colouring): boolean => colouring === 'availability' || colouring === 'disconnects'

function factsText(colouring: Colouring, { known, behind, age }: TileFacts): string {
  if (colouring === 'age') return `oldest data ${span(age)} old`
  return known === 0 ? 'no target, or version not known' : `${numberText(behind)} of ${numberText(known)} behind target`
}

/** Returns the few characters on a tile: "3 of 24" offline, "97.2 %", or "12×". */
export function tileNote(colouring: Colouring, counts: TileCounts, data: TileData | undefined): string {
  const total = totalOf(counts)
  if (colouring === 'state')
    return counts.offline > 0 ? `${numberText(counts.offline)} of ${numberText(total)}` : numberText(total)
  if (data === undefined) return 'no data'
  if (!('up' in data)) {
    if (colouring === 'age') return span(data.age)
    return data.known === 0 ? 'no data' : `${numberText(data.behind)} of ${numberText(data.known)}`
  }
  const { up, down, disconnects } = data
  return colouring === 'availability' ? shareText(up, up + down) : `${numberText(disconnects)}×`
}
