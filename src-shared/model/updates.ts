import { z } from 'zod'
import { addressProblem } from '../connections/address.ts'
import { certificateBlocks } from '../lib/pem.ts'

/** A version that the feed offers. `notes` is plain text and must be shown as such. */
export const update = z.object({
  version: z.string(),
  notes: z.string(),
  /** Time in ms since the epoch; null when the feed does not say. */
  releasedAt: z.number().nullable(),
  /** Size of the download in bytes; null when the feed does not say. */
  size: z.number().nullable(),
})
export type Update = z.infer<typeof update>

/**
 * Why there are no updates. `web`: Muster runs in a browser; `development`: it runs from its sources; `unsigned`: it is
 * not signed; `package`: no updatable package installed it; `publisher`: the Windows build names no publisher of its
 * installers; `apart`: it runs the demo or a profile of its own; `package-manager`: the system's package manager
 * updates a deb or rpm. The others are the machine's policy, an unreadable policy, and a missing feed.
 */
export const offReasons = [
  'web',
  'development',
  'unsigned',
  'package',
  'publisher',
  'package-manager',
  'apart',
  'policy',
  'policy-unread',
  'no-feed',
] as const
export const off = z.object({ reason: z.enum(offReasons), detail: z.string() })
export type Off = z.infer<typeof off>

/**
 * The state of a downloaded update: none, to be installed at the next start, or left after a start that failed to
 * install it.
 */
export const pending = z.enum(['none', 'ready', 'failed'])
export type PendingState = z.infer<typeof pending>

export const updateState = z.discriminatedUnion('is', [
  off.extend({ is: z.literal('off') }),
  /** Nothing newer is known. `checkedAt`: when the feed last said so; null before the first check. */
  z.object({ is: z.literal('idle'), checkedAt: z.number().nullable() }),
  z.object({ is: z.literal('checking'), update: update.nullable(), pending }),
  /** Waits for the operator to download it. */
  z.object({ is: z.literal('available'), update }),
  z.object({ is: z.literal('downloading'), update, transferred: z.number() }),
  /** Is installed at the next start. */
  z.object({ is: z.literal('ready'), update }),
  /** `words`: a whole sentence. `update`: the update that is available all the same. */
  z.object({
    is: z.literal('failed'),
    what: z.enum(['check', 'download', 'install']),
    words: z.string(),
    at: z.number(),
    update: update.nullable(),
    pending,
  }),
])
export type UpdateState = z.infer<typeof updateState>

export const channels = ['latest', 'beta'] as const
export type Channel = (typeof channels)[number]

/**
 * How this copy was installed, and the state of the machine's policy. `policy`: there is none, it was read, or it
 * cannot be read. `file`: its path. `kind`: the package format that updates the copy; '' for none.
 */
export const copyFacts = z.object({
  policy: z.enum(['none', 'read', 'unread']),
  file: z.string(),
  kind: z.string(),
  signed: z.boolean(),
})
export type CopyFacts = z.infer<typeof copyFacts>

/** The updater's state and its configuration: the operator's settings, overridden by the machine's policy. */
export const updates = z.object({
  now: updateState,
  /** Null in the browser. */
  copy: copyFacts.nullable(),
  by: z.object({
    feed: z.string(),
    channel: z.enum(channels),
    /** True when updates are downloaded automatically. */
    self: z.boolean(),
    /** The values that the policy sets. */
    fixed: z.array(z.enum(['feed', 'channel', 'self'])),
  }),
})
export type Updates = z.infer<typeof updates>

/**
 * Returns what is wrong with the address of a feed, as a sentence; null when it is valid or ''. Without a feed there
 * are no updates.
 */
export function feedProblem(text: string): string | null {
  if (text === '') return null
  const url = URL.parse(text)
  // This check comes first, and its sentence repeats nothing, because the text may contain a secret.
  if (url !== null && (url.username !== '' || url.password !== ''))
    return 'Leave out the name and password: a feed is open to whoever reaches it.'
  if (url !== null && text.includes('?')) return 'Leave out the part from the ? on: a feed is a folder.'
  if (url !== null && /\.ya?ml$/iu.test(url.pathname))
    return 'Leave out the name of the file: a feed is the folder that it lies in.'
  return addressProblem(text, 'https:')
}

/** Returns what is wrong with a text as the feed's CA certificate, as a sentence; null when it is valid or empty. */
export function caProblem(text: string): string | null {
  if (text.includes('PRIVATE KEY')) return 'Leave out the private key. It must stay secret.'
  return text.trim() === '' ||
    certificateBlocks(text).some((block) =>
      /^-----BEGIN CERTIFICATE-----\s[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----$/u.test(block),
    )
    ? null
    : 'This is no certificate (PEM).'
}

/** The operator's update settings. A policy of the machine overrides them. */
export const updateSettings = {
  /** Folder of the update feed, https; '' for none, which turns updates off. */
  updateFeed: z
    .string()
    .max(2048)
    .refine((text) => feedProblem(text) === null, { error: ({ input }) => feedProblem(String(input)) ?? '' }),
  updateChannel: z.enum(channels),
  /** PEM text of certificates that are trusted for the feed alone, or ''. */
  updateCa: z
    .string()
    .max(100_000)
    .refine((text) => caProblem(text) === null, { error: ({ input }) => caProblem(String(input)) ?? '' }),
  /** Downloads available updates automatically. */
  updateSelf: z.boolean(),
}
export const defaultUpdates = { updateFeed: '', updateChannel: 'latest' as Channel, updateCa: '', updateSelf: false }
