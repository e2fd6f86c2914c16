import { reasonText } from '../connections/format.ts'
import type { AppState } from '../lib/session.ts'
import { UnlockButton } from '../lib/ui/unlock-button.tsx'

/** Where client secrets are kept; a locked keychain can be unlocked from here, by the system's own question. */
export function KeychainPlace({ keychain: { kind, detail } }: Pick<AppState, 'keychain'>) {
  if (kind === 'keychain') return `In this computer’s keychain: ${detail}`
  if (kind === 'session') return `In memory until Muster quits, never on disk: ${reasonText(detail)}`
  return (
    <>
      {`${detail}. What is typed meanwhile is in memory, and goes into the keychain as soon as that is unlocked. `}
      <UnlockButton />
    </>
  )
}
