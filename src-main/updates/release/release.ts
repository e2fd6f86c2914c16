import { z } from 'zod'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Update } from '../../../src-shared/model/updates.ts'

const version = z
  .string()
  .max(100)
  .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/)
const file = z.object({
  /** A plain name below the feed's folder, so that everything is downloaded from there. */
  url: z
    .string()
    .max(500)
    .regex(/^\w[\w ./()+-]*$/)
    .refine((name) => !name.split('/').includes('..')),
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.int().positive().optional(),
  isAdminRightsRequired: z.boolean().optional(),
})

/** A feed's entry as electron-builder writes it (`latest.yml`); other members are ignored. */
const schema = z.object({
  version,
  files: z.array(file).min(1).max(50),
  releaseNotes: z
    .union([z.string(), z.array(z.object({ version: z.string().nullish(), note: z.string().nullish() })).max(100)])
    .nullish(),
  releaseDate: z.string().max(100).optional(),
  stagingPercentage: z.number().optional(),
  minimumSystemVersion: z.string().max(100).optional(),
})
export type Release = z.infer<typeof schema>
export const release = schema

const maxNotes = 20_000

/** Parses the feed's text. Rejects with a `FaultError` of kind `update` for an invalid entry. */
export async function readRelease(text: string): Promise<Release> {
  const read = schema.safeParse(await parsed(text))
  if (read.success) return read.data
  const [first] = read.error.issues
  const where = first === undefined || first.path.length === 0 ? 'it' : first.path.join('.')
  throw new FaultError('update', `the feed’s entry cannot be used: ${where} is missing or not as expected`)
}

async function parsed(text: string): Promise<unknown> {
  // Loaded late: most starts check for no update.
  const { load, CORE_SCHEMA } = await import('js-yaml')
  try {
    // Dates stay text, and YAML creates plain data only.
    return load(text, { schema: CORE_SCHEMA })
  } catch {
    throw new FaultError('update', 'what the feed answers is no entry of updates')
  }
}

/** Processors as they are written in names of packages. */
const processors: Readonly<Record<string, RegExp>> = { x64: /x64|x86_64|amd64/iu, arm64: /arm64|aarch64/iu }

/**
 * Returns the entry with the one package that updates this kind of copy on this processor; null when it has none. A
 * package without a processor in its name fits all. (electron-updater takes the first one rather than none: the Windows
 * installer for another processor would remove this copy and install nothing.)
 */
export function releaseFor(release: Release, extension: string, arch: string): Release | null {
  const packages = release.files.filter(({ url }) => url.toLowerCase().endsWith(`.${extension.toLowerCase()}`))
  const fits =
    packages.find(({ url }) => processors[arch]?.test(url)) ??
    packages.find(({ url }) => !Object.values(processors).some((names) => names.test(url)))
  return fits === undefined ? null : { ...release, files: [fits] }
}

/** Returns the description of a release, by its one package. */
export function updateOf({ version, files, releaseNotes, releaseDate }: Release): Update {
  const at = Date.parse(releaseDate ?? '')
  return {
    version,
    notes: plain(notesOf(releaseNotes)),
    releasedAt: Number.isNaN(at) ? null : at,
    size: files[0]?.size ?? null,
  }
}

function notesOf(notes: Release['releaseNotes']): string {
  if (notes === null || notes === undefined || typeof notes === 'string') return notes ?? ''
  return notes
    .map(({ version, note }) => [version ?? '', note ?? ''].filter((part) => part !== '').join('\n'))
    .join('\n\n')
}

/** Removes control characters and those that change the writing direction, and limits the length. */
function plain(text: string): string {
  const cleaned = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{C}\n\t]/gu, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return cleaned.length > maxNotes ? `${cleaned.slice(0, maxNotes)}…` : cleaned
}
