export const numberFormat = new Intl.NumberFormat('en')

/** "1 device", "1,204 devices". */
export const devices = (count: number): string => (count === 1 ? '1 device' : `${numberFormat.format(count)} devices`)
