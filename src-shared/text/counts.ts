export const numberFormat = new Intl.NumberFormat('en')

/** Returns for example "1 device" or "1,204 devices". */
export const devices = (count: number): string => (count === 1 ? '1 device' : `${numberFormat.format(count)} devices`)
