import { useAppContext } from '../../lib/context.ts'
import type { Inventory } from '../inventory.ts'

/** Returns what opens the dialog for the tags of the selected devices. */
export function useTagging({ subject }: Pick<Inventory, 'subject'>): () => void {
  const { policyEditor } = useAppContext()
  return () => {
    const devices = subject()
    if (devices !== null) policyEditor.askTags(devices.targets)
  }
}
