import type { ReportRequest } from '../../../src-shared/contract/report-calls.ts'
import type { Zones } from '../../../src-shared/maintenance/zones.ts'
import { lastPeriod } from '../../../src-shared/reports/periods.ts'

export const reportSpans = [
  { value: 'last-week', word: 'Last week' },
  { value: 'last-month', word: 'Last month' },
  { value: '7d', word: '7 d' },
  { value: '30d', word: '30 d' },
  { value: 'custom', word: 'Dates' },
] as const
export type ReportSpan = (typeof reportSpans)[number]['value']

/** What the operator asks for. Dates are "2026-11-24", the last one included; times "18:00". */
export interface ReportDraft {
  span: ReportSpan
  first: string
  last: string
  isService: boolean
  /** 0 is Monday. */
  days: readonly number[]
  begins: string
  ends: string
}

export const firstDraft: ReportDraft = {
  span: 'last-month',
  first: '',
  last: '',
  isService: false,
  days: [0, 1, 2, 3, 4],
  begins: '08:00',
  ends: '18:00',
}

const dayMs = 86_400_000

/** Returns the request for a place in its zone, or a sentence that says what is wrong. `now`: ms. */
export function requestOf(
  { span, first, last, isService, days, begins, ends }: ReportDraft,
  place: string,
  { zone, zones, now }: { zone: string; zones: Zones; now: number },
): { request: ReportRequest } | { problem: string } {
  const localDay = Math.floor((now + zones.offsetAt(zone, now)) / dayMs)
  const midnight = (day: number) => zones.firstAt(zone, day * dayMs)
  const request = (from: number, until: number) => {
    if (isService && days.length === 0) return { problem: 'Choose a day of the service hours.' }
    if (isService && (begins === '' || ends === '')) return { problem: 'Enter when the service hours begin and end.' }
    const hours = isService ? { days: [...days], from: begins, until: ends } : null
    return { request: { place, from, until, zone, hours } }
  }
  switch (span) {
    case 'last-week':
    case 'last-month': {
      const { from, until } = lastPeriod(span === 'last-week' ? 'week' : 'month', zones, zone, now)
      return request(from, until)
    }
    case '7d':
      return request(midnight(localDay - 7), midnight(localDay))
    case '30d':
      return request(midnight(localDay - 30), midnight(localDay))
    case 'custom': {
      const [from, until] = [Date.parse(`${first}T00:00Z`) / dayMs, Date.parse(`${last}T00:00Z`) / dayMs]
      if (Number.isNaN(from) || Number.isNaN(until)) return { problem: 'Enter the first and the last day.' }
      if (until < from) return { problem: 'The last day is before the first.' }
      if (midnight(from) >= now) return { problem: 'The first day has not begun yet.' }
      if (until - from >= 400) return { problem: 'The journal has 400 days.' }
      return request(midnight(from), midnight(until + 1))
    }
    default:
      return span satisfies never
  }
}
