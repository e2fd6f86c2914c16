import type { CopyFacts, Off } from '../../src-shared/model/updates.ts'
import type { Kind } from './release/package-kind.ts'
import { noPolicy, type Read } from './policy.ts'

/** What is known of this copy of Muster when it starts. */
export interface Copy {
  /** It runs from a package, and not from its sources. */
  packaged: boolean
  /** Its package was signed by whoever made it. */
  signed: boolean
  /** What its package lacks to be renewed: a way in which it was installed, or the names of those who sign its installers; null for nothing. */
  lacks: 'package' | 'publisher' | null
  /** It was started for the demo, or with a profile of its own: what it is started with would be lost. */
  apart: boolean
  kind: Kind | null
}

/** Why this copy asks for no updates, whatever the operator sets; null when it may. */
export function whyDisabled({ packaged, signed, lacks, apart, kind }: Copy, read: Read): Off | null {
  if (!packaged) return { reason: 'development', detail: '' }
  if (read.policy === null) return { reason: 'policy-unread', detail: read.unread }
  if (read.policy.updates === 'off') return { reason: 'policy', detail: '' }
  if (!signed) return { reason: 'unsigned', detail: '' }
  // Root would install a file that this user can swap while the password is asked for, and nothing but the feed's address says whose it is.
  if (kind === 'deb' || kind === 'rpm') return { reason: 'package-manager', detail: kind }
  if (lacks !== null) return { reason: lacks, detail: '' }
  return apart ? { reason: 'apart', detail: '' } : null
}

/** The same as whoever looks after the machine wants to see it: whether their policy holds here, and of which kind this copy is. */
export function copyOf(
  { packaged, signed }: Pick<Copy, 'packaged' | 'signed'>,
  kind: Kind | null,
  file: string,
  read: Read,
): CopyFacts {
  const policy = read.policy === null ? 'unread' : read.policy === noPolicy ? 'none' : 'read'
  return { policy, file, kind: packaged ? (kind ?? '') : '', signed }
}
