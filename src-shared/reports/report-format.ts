/** How a report writes numbers and times: those of the reader's country, the words are English. */
export interface ReportFormat {
  number(value: number): string
  /** A share with two decimals, rounded down, so that 100 % is all; a dash for null. */
  share(value: number | null): string
  /** A duration (ms) with at most two units; a dash for null. */
  duration(ms: number | null): string
  /** Device-ms as hours. */
  hours(ms: number): string
  date(at: number): string
  time(at: number): string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `locale`: a BCP 47 name; `zone`: an IANA name. Throws a RangeError for one that `Intl` does not know. */
export function createReportFormat(locale: string, zone: string): ReportFormat {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const date = new Intl.DateTimeFormat(locale, { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const time = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const two = (ms: number, big: number, bigUnit: string, small: number, smallUnit: string) => {
    const [head, rest] = [Math.floor(ms / big), Math.floor((ms % big) / small)]
    return `${whole.format(head)} ${bigUnit}${rest === 0 ? '' : ` ${whole.format(rest)} ${smallUnit}`}`
  }
  return {
    number: (value) => whole.format(value),
    share: (value) => (value === null ? '–' : `${percent.format(roundedDown(value))}\u00A0%`),
    duration(ms) {
      if (ms === null) return '–'
      if (ms < minute) return `${whole.format(Math.floor(ms / 1000))} s`
      if (ms < hour) return two(ms, minute, 'min', 1000, 's')
      return ms < day ? two(ms, hour, 'h', minute, 'min') : two(ms, day, 'd', hour, 'h')
    },
    hours: (ms) => `${tenths.format(ms / hour)} h`,
    date: (at) => date.format(at),
    time: (at) => time.format(at),
  }
}

/** Hundredths of a per cent; what floating point leaves below one is none. */
const roundedDown = (share: number): number => Math.floor(share * 10_000 + 1e-6) / 100
