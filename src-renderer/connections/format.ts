import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { AppState } from '../lib/session.ts'

/**
 * Returns where an entered secret will be stored, and whether the current one may stay, which it may not when it was
 * `rejected`.
 */
export function storageText(
  connection: ConnectionState | null,
  keychain: AppState['keychain'],
  rejected: boolean,
): string {
  const present =
    connection === null || connection.secret === 'missing' || connection.secret === 'elsewhere' || rejected
      ? ''
      : 'Leave empty to keep the current one. '
  return `${present}${storageNote(keychain)}`
}

function storageNote({ kind, detail }: AppState['keychain']): string {
  switch (kind) {
    case 'keychain':
      return `Stored in this computer’s keychain (${detail}).`
    case 'locked':
      return `Stored in memory, and put into this computer’s keychain as soon as that is unlocked (${detail}).`
    case 'session':
      return `Stored in memory until Muster quits, never on disk (${reasonText(detail)}).`
    default:
      return kind satisfies never
  }
}

/** Returns why there is no keychain, without the words that are shown beside it. */
export function reasonText(detail: string): string {
  return detail.replace(/^this session only(: )?/u, '') || 'no keychain'
}

/** Returns where the secret of a connection is now. */
export function secretText({ secret }: ConnectionState, keychain: AppState['keychain']): string {
  switch (secret) {
    case 'keychain':
      return `In this computer’s keychain (${keychain.detail})`
    case 'session':
      return keychain.kind === 'locked'
        ? 'In memory, until the keychain is unlocked'
        : 'In memory, for this session only'
    case 'elsewhere':
      return 'Not on this computer'
    case 'missing':
      return keychain.kind === 'locked' ? 'Perhaps in the keychain, which is locked' : 'Not known here: enter it again'
    default:
      return secret satisfies never
  }
}
