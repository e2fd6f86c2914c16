import type { ReportFigures } from '../contract/report-calls.ts'

/** Returns online time as a share of the observed time; null where nothing was observed. */
export const availabilityOf = ({ up, down }: Pick<ReportFigures, 'up' | 'down'>): number | null =>
  up + down === 0 ? null : up / (up + down)

/** Returns observed time as a share of the counted time; null where no time counts. */
export const coverageOf = ({ up, down, counted }: Pick<ReportFigures, 'up' | 'down' | 'counted'>): number | null =>
  counted === 0 ? null : Math.min(1, (up + down) / counted)

/** Returns the mean time (ms) to recover; null without an outage that began and ended in the time. */
export const recoveryOf = ({ recovered, recovery }: Pick<ReportFigures, 'recovered' | 'recovery'>): number | null =>
  recovered === 0 ? null : recovery / recovered

/** A bar of the chart of days. `height`: of the availability above `low`, from 0 to 1; null: no data. `coverage`: from 0 to 1. */
export interface DayBar {
  from: number
  until: number
  availability: number | null
  height: number | null
  coverage: number
}

/** Where the axis may begin, so that small losses are seen. */
const lows = [0.999, 0.995, 0.99, 0.95, 0.9, 0.8, 0.5, 0]

/** Returns the bars of days, and where their axis begins. */
export function dayBars(
  days: readonly (Pick<ReportFigures, 'up' | 'down' | 'counted'> & { from: number; until: number })[],
): { low: number; bars: readonly DayBar[] } {
  const shares = days.map(availabilityOf)
  const least = shares.reduce<number>((one, other) => Math.min(one, other ?? 1), 1)
  const low = lows.find((each) => each < least || each === 0) ?? 0
  return {
    low,
    bars: days.map((day, index) => {
      const availability = shares[index] ?? null
      return {
        from: day.from,
        until: day.until,
        availability,
        height: availability === null ? null : (availability - low) / (1 - low),
        coverage: coverageOf(day) ?? 0,
      }
    }),
  }
}
