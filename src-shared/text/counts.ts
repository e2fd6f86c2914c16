export const numberFormat = new Intl.NumberFormat('en')

/** Returns for example "97.2 %". The space before the sign does not break. */
export const percentText = (percent: number | string): string => `${percent}\u00A0%`

/** Returns for example "1 device" or "1,204 devices". */
export const devices = (count: number): string => (count === 1 ? '1 device' : `${numberFormat.format(count)} devices`)
