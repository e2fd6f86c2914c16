import { Button } from 'react-aria-components'
import type { SettingsPart } from '../../src-shared/rooms.ts'
import { UnlockButton } from '../ui/unlock-button.tsx'
import { remedyWords, type Remedy } from '../words/remedy.ts'

/** Does what the words beside it say is to be done; nothing where no button can. `onSettings`: leads to the settings, or a part of them. */
export function RemedyButton({
  remedy,
  onSettings,
}: {
  remedy: Remedy | null
  onSettings: (part?: SettingsPart) => void
}) {
  if (remedy === null) return null
  if (remedy === 'unlock') return <UnlockButton />
  return (
    <Button className="button" onPress={() => onSettings(remedy === 'network' ? 'network' : undefined)}>
      {remedyWords[remedy]}
    </Button>
  )
}
