import type { Occurrence, MaintenanceTimes, MaintenanceWindow } from '../../src-shared/maintenance/maintenance.ts'

export const windowOf = (when: MaintenanceTimes, more: Partial<MaintenanceWindow> = {}): MaintenanceWindow => ({
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
export const spanText = (occurrence: Occurrence | null) =>
  occurrence &&
  [occurrence.from, occurrence.until].map((moment) => new Date(moment).toISOString().replace(':00.000', '')).join(' ')

export const [mon, tue, wed, thu, fri, sat, sun] = [0, 1, 2, 3, 4, 5, 6] as const
type Ends = 'at' | 'after'
export const weekly = (days: number[], from: string, minutes: number, ends: Ends = 'after'): MaintenanceTimes => ({
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
): MaintenanceTimes => ({ kind: 'monthly', week, day, from, ends, minutes })
