import type { Off } from '../../src-shared/updates.ts'
import type { Read } from './policy.ts'

/** What is known of this copy of Muster when it starts. */
export interface Copy {
  /** It runs from a package, and not from its sources. */
  packaged: boolean
  /** Its package was signed by whoever made it. */
  signed: boolean
  /** Its package is one that can be renewed. */
  renewable: boolean
}

/** Why this copy asks for no updates, whatever the operator sets; null when it may. */
export function whyOff({ packaged, signed, renewable }: Copy, read: Read): Off | null {
  if (!packaged) return { reason: 'development', detail: '' }
  if (read.policy === null) return { reason: 'policy-unread', detail: read.unread }
  if (read.policy.updates === 'off') return { reason: 'policy', detail: '' }
  if (!signed) return { reason: 'unsigned', detail: '' }
  return renewable ? null : { reason: 'package', detail: '' }
}
