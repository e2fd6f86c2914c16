import { Button } from 'react-aria-components'
import type { SettingsSection } from '../../../src-shared/navigation/screens.ts'
import { UnlockButton } from '../../lib/ui/buttons/unlock-button.tsx'
import { remedyLabels, type Remedy } from '../../lib/format/faults.ts'

/**
 * A button for the next step of a fault; nothing where no button can do it. `onSettings` opens the settings, or a
 * section of them.
 */
export function RemedyButton({
  remedy,
  onSettings,
}: {
  remedy: Remedy | null
  onSettings: (part?: SettingsSection) => void
}) {
  if (remedy === null) return null
  if (remedy === 'unlock') return <UnlockButton />
  return (
    <Button className="button" onPress={() => onSettings(remedy === 'network' ? 'network' : undefined)}>
      {remedyLabels[remedy]}
    </Button>
  )
}
