import { z } from 'zod'

/** How services call the field with a device's firmware, and that with its family; the first one that is loaded counts. */
export const firmwareColumns: readonly string[] = ['softwareVersion', 'firmwareVersion', 'firmware']
export const familyColumns: readonly string[] = ['hardwareFamily', 'productFamily', 'family']

/** The version that devices of a model should have. */
export const firmwareTarget = z.object({
  model: z.string().min(1).max(300),
  version: z.string().min(1).max(300),
})
export type FirmwareTarget = z.infer<typeof firmwareTarget>

const collator = new Intl.Collator('en', { numeric: true })

/** Compares two versions as filters do (`softwareVersion:<"4.10"`): numbers by their value, so that "4.10" is after "4.9". */
export const compareVersions: (one: string, other: string) => number = collator.compare
