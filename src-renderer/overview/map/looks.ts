import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { shareText } from '../../incidents/availability/format.ts'

/** What the colour of a tile says. */
export const colourings = [
  { value: 'state', word: 'State' },
  { value: 'availability', word: 'Availability, 7 d' },
  { value: 'disconnects', word: 'Disconnects, 7 d' },
] as const
export type Colouring = (typeof colourings)[number]['value']

export interface TileCounts {
  offline: number
  unknown: number
  online: number
}

export type TileHistory = Omit<CallOutput<'overview.places'>['places'][number], 'id'>

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

export function lookOf(colouring: Colouring, counts: TileCounts, history: TileHistory | undefined): Look {
  const total = totalOf(counts)
  if (colouring === 'state')
    return total === 0
      ? { fill: 0, tone: 'bad', hatched: 1 }
      : { fill: counts.offline / total, tone: 'bad', hatched: counts.unknown / total }
  if (history === undefined) return { fill: 0, tone: 'warn', hatched: 1 }
  const step =
    colouring === 'availability' ? availabilityStep(history) : disconnectsStep(history.disconnects, Math.max(1, total))
  return { fill: fills[step] ?? 0, tone: 'warn', hatched: 0 }
}

/** The height of each step: the worse, the higher. */
const fills = [0, 0.2, 0.45, 0.7, 1] as const
/** Shares of time online from which a step begins, and disconnects of each device from which it begins. */
const shares = [0.999, 0.99, 0.95, 0.8] as const
const rates = [0, 0.5, 1, 3] as const

function availabilityStep({ up, down }: TileHistory): number {
  const share = up / (up + down)
  const step = shares.findIndex((least) => share >= least)
  return step === -1 ? shares.length : step
}

function disconnectsStep(disconnects: number, devices: number): number {
  const step = rates.findIndex((greatest) => disconnects / devices <= greatest)
  return step === -1 ? rates.length : step
}

/** A line of the legend. */
export interface LegendLine {
  look: Look
  word: string
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
  const words =
    colouring === 'availability'
      ? ['99.9 % and more', '99 %', '95 %', '80 %', 'less']
      : ['none', 'to 0.5 a device', 'to 1', 'to 3', 'more']
  return [
    ...words.map((word, step) => ({ look: { fill: fills[step] ?? 0, tone: 'warn' as const, hatched: 0 }, word })),
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

/** Returns what the journal has of a tile, for example "97.2 % online in 7 days, 12 disconnects". */
export function historyText(history: TileHistory | undefined): string {
  if (history === undefined) return 'no data in 7 days'
  const { up, down, disconnects } = history
  return `${shareText(up, up + down)} online in 7 days, ${many(disconnects, 'disconnect')}`
}

/** Returns the few characters on a tile: "3 of 24" offline, "97.2 %", or "12×". */
export function tileNote(colouring: Colouring, counts: TileCounts, history: TileHistory | undefined): string {
  const total = totalOf(counts)
  if (colouring === 'state')
    return counts.offline > 0 ? `${numberText(counts.offline)} of ${numberText(total)}` : numberText(total)
  if (history === undefined) return 'no data'
  const { up, down, disconnects } = history
  return colouring === 'availability' ? shareText(up, up + down) : `${numberText(disconnects)}×`
}
