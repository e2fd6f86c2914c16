import type { Occurrence, QuietWhen, QuietWindow } from '../../src-shared/quiet.ts'

export const windowOf = (when: QuietWhen, more: Partial<QuietWindow> = {}): QuietWindow => ({
  id: 'w',
  name: 'Works',
  node: 'all',
  nodeName: 'Everything',
  when,
  zone: null,
  createdAt: 0,
  until: null,
  ...more,
})

export const at = (text: string) => Date.parse(text)
/** "2026-03-29T01:00Z 2026-03-29T02:00Z" */
export const said = (occurrence: Occurrence | null) =>
  occurrence &&
  [occurrence.from, occurrence.until].map((moment) => new Date(moment).toISOString().replace(':00.000', '')).join(' ')

export const [mon, tue, wed, thu, fri, sat, sun] = [0, 1, 2, 3, 4, 5, 6] as const
type Ends = 'at' | 'after'
export const weekly = (days: number[], from: string, minutes: number, ends: Ends = 'after'): QuietWhen => ({
  kind: 'weekly',
  days,
  from,
  ends,
  minutes,
})
export const monthly = (
  week: 1 | 2 | 3 | 4 | -1,
  day: number,
  from: string,
  minutes: number,
  ends: Ends = 'after',
): QuietWhen => ({ kind: 'monthly', week, day, from, ends, minutes })
