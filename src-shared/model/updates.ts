import { z } from 'zod'
import { addressProblem } from '../connections/address.ts'
import { certificateBlocks } from '../lib/pem.ts'

/** A version that the feed offers. `notes` is plain text, to be shown as such, whatever it looks like. */
export const update = z.object({
  version: z.string(),
  notes: z.string(),
  /** Milliseconds since the epoch; null when the feed does not say. */
  releasedAt: z.number().nullable(),
  /** Bytes to download; null when the feed does not say. */
  size: z.number().nullable(),
})
export type Update = z.infer<typeof update>

/**
 * Why there are no updates: the browser's Muster, one that runs from its sources, one that is not signed, one that was not
 * installed by a package that can be renewed, one for Windows that names nobody who signs its installers, one that was started
 * for the demo or with a profile of its own, a deb or rpm, which the system's package manager renews, the machine's policy, a policy that cannot be read, and no feed.
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

/** Whether an update lies here whole: not, to be put in place at the next start, or after a start that could not do it. */
export const held = z.enum(['no', 'ready', 'tried'])
export type Held = z.infer<typeof held>

export const updateState = z.discriminatedUnion('is', [
  off.extend({ is: z.literal('off') }),
  /** Nothing newer is known. `askedAt`: when the feed last said so, null before it was asked. */
  z.object({ is: z.literal('idle'), askedAt: z.number().nullable() }),
  z.object({ is: z.literal('asking'), update: update.nullable(), held }),
  /** It waits for the operator's word. */
  z.object({ is: z.literal('available'), update }),
  z.object({ is: z.literal('downloading'), update, transferred: z.number() }),
  /** It is put in place at the next start. */
  z.object({ is: z.literal('ready'), update }),
  /** `words`: a whole sentence. `update`: what is there all the same. */
  z.object({
    is: z.literal('failed'),
    what: z.enum(['ask', 'download', 'install']),
    words: z.string(),
    at: z.number(),
    update: update.nullable(),
    held,
  }),
])
export type UpdateState = z.infer<typeof updateState>

export const channels = ['latest', 'beta'] as const
export type Channel = (typeof channels)[number]

/**
 * How this copy came here, and what lies in the place of the machine's policy. `policy`: there is none, it was read, or it cannot
 * be read; `file`: where it lies or would lie. `kind`: by what the copy is renewed, '' for nothing.
 */
export const copyFacts = z.object({
  policy: z.enum(['none', 'read', 'unread']),
  file: z.string(),
  kind: z.string(),
  signed: z.boolean(),
})
export type CopyFacts = z.infer<typeof copyFacts>

/** What the updater is doing, and what it goes by: the operator's settings, and over them the policy of the machine. */
export const updates = z.object({
  now: updateState,
  /** Null in the browser. */
  copy: copyFacts.nullable(),
  by: z.object({
    feed: z.string(),
    channel: z.enum(channels),
    /** It downloads by itself what it finds. */
    self: z.boolean(),
    /** Which of these the policy sets. */
    fixed: z.array(z.enum(['feed', 'channel', 'self'])),
  }),
})
export type Updates = z.infer<typeof updates>

/** What is wrong with the address of a feed, as a sentence; null when nothing is. None at all ('') is right: then there are no updates. */
export function feedProblem(text: string): string | null {
  if (text === '') return null
  const url = URL.parse(text)
  // Said before anything else, and not repeated: what stands there may be a secret.
  if (url !== null && (url.username !== '' || url.password !== ''))
    return 'Leave out the name and password: a feed is open to whoever reaches it.'
  if (url !== null && text.includes('?')) return 'Leave out the part from the ? on: a feed is a folder.'
  if (url !== null && /\.ya?ml$/iu.test(url.pathname))
    return 'Leave out the name of the file: a feed is the folder that it lies in.'
  return addressProblem(text, 'https:')
}

/** Why this text cannot be the feed's CA certificate, in a sentence; null when it can, or there is none. */
export function caProblem(text: string): string | null {
  if (text.includes('PRIVATE KEY')) return 'Leave out the private key: it is nobody’s to have.'
  return text.trim() === '' ||
    certificateBlocks(text).some((block) =>
      /^-----BEGIN CERTIFICATE-----\s[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----$/u.test(block),
    )
    ? null
    : 'This is no certificate (PEM).'
}

/** The operator's own, among their settings. A policy of the machine goes before them. */
export const updateSettings = {
  /** Folder of the feed of new versions, https; '' for none: then there are no updates. */
  updateFeed: z
    .string()
    .max(2048)
    .refine((text) => feedProblem(text) === null, { error: ({ input }) => feedProblem(String(input)) ?? '' }),
  updateChannel: z.enum(channels),
  /** PEM text that adds trust for the feed alone, or ''. */
  updateCa: z
    .string()
    .max(100_000)
    .refine((text) => caProblem(text) === null, { error: ({ input }) => caProblem(String(input)) ?? '' }),
  /** What is found is downloaded by itself. */
  updateSelf: z.boolean(),
}
export const usualUpdates = { updateFeed: '', updateChannel: 'latest' as Channel, updateCa: '', updateSelf: false }
