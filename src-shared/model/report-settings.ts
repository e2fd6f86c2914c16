import { z } from 'zod'
import { isLocale, isPicture } from '../reports/dress.ts'

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
}

export const defaultReport = { reportLocale: '', reportWords: '', reportLogo: '' }
