import { Button } from 'react-aria-components'
import { reasonText } from '../../connections/format.ts'
import type { AppState } from '../../lib/session.ts'
import { CopyButton } from '../../lib/ui/buttons/copy-button.tsx'
import { UnlockButton } from '../../lib/ui/buttons/unlock-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Group } from '../fields/fields.tsx'

/** Where settings and client secrets are stored, and the version. */
export function StorageSettings({
  app: { keychain, settingsFile, version },
  onDiagnostics,
}: {
  app: AppState
  onDiagnostics: () => void
}) {
  return (
    <Group name="Storage">
      <dl className="facts">
        <div>
          <dt>Settings file</dt>
          <dd className="with-copy">
            <Isolated className="mono">{settingsFile}</Isolated>
            <CopyButton text={settingsFile} what="the path of the settings file" />
          </dd>
        </div>
        <div>
          <dt>Client secrets</dt>
          <dd>
            <KeychainPlace keychain={keychain} />
          </dd>
        </div>
        <div>
          <dt>Version</dt>
          <dd className="with-copy">
            Muster {version}{' '}
            <Button className="button" onPress={onDiagnostics}>
              Diagnostics
            </Button>
          </dd>
        </div>
      </dl>
    </Group>
  )
}

/** The storage of client secrets, with a button that unlocks a locked keychain. */
function KeychainPlace({ keychain: { kind, detail } }: Pick<AppState, 'keychain'>) {
  if (kind === 'keychain') return `In this computer’s keychain: ${detail}`
  if (kind === 'session') return `In memory until Muster quits, never on disk: ${reasonText(detail)}`
  return (
    <>
      {`${detail}. What is typed meanwhile is in memory, and goes into the keychain as soon as that is unlocked. `}
      <UnlockButton />
    </>
  )
}
