import type { ConnectionState } from '../../src-shared/model.ts'
import type { AppState } from '../session.ts'

/** Where a secret that is typed will be kept, and whether the present one may stay: not while it is `refused`. */
export function keptWords(connection: ConnectionState | null, keychain: AppState['keychain'], refused: boolean): string {
  const place = keychain.kind === 'keychain'
    ? `Kept in this computer’s keychain (${keychain.detail}).`
    : `Kept in memory until Muster quits, never on disk (${reasonWords(keychain.detail)}).`
  const present = connection === null || connection.secret === 'missing' || refused ? '' : 'Leave empty to keep the present one. '
  return `${present}${place}`
}

/** Why there is no keychain, without the words that stand beside it anyway. */
export function reasonWords(detail: string): string {
  return detail.replace(/^this session only(: )?/u, '') || 'no keychain'
}

/** Where the secret of a connection is now. */
export function secretWords({ secret }: ConnectionState, keychain: AppState['keychain']): string {
  switch (secret) {
    case 'keychain': return `In this computer’s keychain (${keychain.detail})`
    case 'session': return 'In memory, for this session only'
    case 'missing': return 'Not known here: enter it again'
    default: return secret satisfies never
  }
}
