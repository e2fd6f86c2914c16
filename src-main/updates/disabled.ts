import type { CopyFacts, Off } from '../../src-shared/model/updates.ts'
import type { Kind } from './release/package-kind.ts'
import { noPolicy, type PolicyResult } from './policy.ts'

/** The facts of this copy of Muster at its start. */
export interface InstalledCopy {
  /** It runs from a package, not from its sources. */
  packaged: boolean
  /** The package is signed by its maker. */
  signed: boolean
  /**
   * The missing part of the package for updates: a known installation kind, or the names of its installers' signers;
   * null for nothing.
   */
  missing: 'package' | 'publisher' | null
  /** It was started for the demo, or with a profile of its own: an update's restart would lose its arguments. */
  apart: boolean
  kind: Kind | null
}

/** Returns why this copy checks for no updates, whatever the settings; null when it may. */
export function disabledReason(
  { packaged, signed, missing, apart, kind }: InstalledCopy,
  read: PolicyResult,
): Off | null {
  if (!packaged) return { reason: 'development', detail: '' }
  if (read.policy === null) return { reason: 'policy-unread', detail: read.unread }
  if (read.policy.updates === 'off') return { reason: 'policy', detail: '' }
  if (!signed) return { reason: 'unsigned', detail: '' }
  // Root would install a file that this user can replace while the password is asked for, and only the feed's address
  // shows its origin.
  if (kind === 'deb' || kind === 'rpm') return { reason: 'package-manager', detail: kind }
  if (missing !== null) return { reason: missing, detail: '' }
  return apart ? { reason: 'apart', detail: '' } : null
}

/** Returns the facts of this copy for its administrator: whether their policy applies, and the kind of the copy. */
export function copyOf(
  { packaged, signed }: Pick<InstalledCopy, 'packaged' | 'signed'>,
  kind: Kind | null,
  file: string,
  read: PolicyResult,
): CopyFacts {
  const policy = read.policy === null ? 'unread' : read.policy === noPolicy ? 'none' : 'read'
  return { policy, file, kind: packaged ? (kind ?? '') : '', signed }
}
