import { z } from 'zod'
import { timeOfDay, weekday } from '../maintenance/maintenance.ts'
import { isLocale, isPicture } from '../reports/dress.ts'

/** The only times of a report that count. `days`: 0 is Monday; an end that is not after its begin is on the next day. */
export const serviceHours = z.object({
  days: z.array(weekday).min(1, 'Choose a day.').max(7),
  from: timeOfDay,
  until: timeOfDay,
})
export type ServiceHours = z.infer<typeof serviceHours>

/** A report that is written into a folder of this computer after each week (from Monday) or month. */
export const reportSchedule = z.object({
  id: z.string().max(64),
  /** A node of the tree, or `everything`. */
  place: z.string().max(2048),
  placeName: z.string().max(300),
  every: z.enum(['week', 'month']),
  /** An absolute path. */
  folder: z.string().min(1, 'Enter a folder.').max(1000),
  /** In the zone of its place; null or left out: all times count. */
  hours: serviceHours.nullish(),
})
export type ReportSchedule = z.infer<typeof reportSchedule>

/** What the operator adds to reports. */
export const reportSettings = {
  /** BCP 47 name of the country whose numbers and dates a report has; '' for this computer's. */
  reportLocale: z
    .string()
    .max(35)
    .refine((text) => text === '' || isLocale(text), 'This country is not known here.'),
  /** Plain text at the beginning. */
  reportWords: z.string().max(4000),
  /** A picture as a data address; '' for none. */
  reportLogo: z
    .string()
    .max(140_000, 'It is larger than 100 kB.')
    .refine((text) => text === '' || isPicture(text), 'It is not a PNG or JPEG picture.'),
  /** Whether notes and tags are in reports: their readers may be customers. */
  reportNotes: z.boolean(),
  reportSchedules: z.array(reportSchedule).max(50),
}

export const defaultReport = {
  reportLocale: '',
  reportWords: '',
  reportLogo: '',
  reportNotes: false,
  reportSchedules: [] as ReportSchedule[],
}
