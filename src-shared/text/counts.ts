export const numberFormat = new Intl.NumberFormat('en')

/** Returns for example "97.2 %". The space before the sign does not break. */
export const percentText = (percent: number | string): string => `${percent}\u00A0%`

/** Returns a duration as text, in minutes when it is a whole number of them from 2 min on: "90 s", "30 min". */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** Returns for example "1 device" or "1,204 devices". */
export const devices = (count: number): string => (count === 1 ? '1 device' : `${numberFormat.format(count)} devices`)
