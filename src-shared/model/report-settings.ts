import { z } from 'zod'
import { isLocale, isPicture } from '../reports/dress.ts'

/** A report that is written into a folder of this computer after each week (from Monday) or month. */
export const reportSchedule = z.object({
  id: z.string().max(64),
  /** A node of the tree, or `everything`. */
  place: z.string().max(2048),
  placeName: z.string().max(300),
  every: z.enum(['week', 'month']),
  /** An absolute path. */
  folder: z.string().min(1, 'Enter a folder.').max(1000),
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
