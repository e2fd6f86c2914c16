import { Button } from 'react-aria-components'
import type { UpdateState } from '../../../src-shared/model/updates.ts'
import { updateLine } from '../../lib/format/updates.ts'

/** A button that says that an update waits for the operator, and opens its settings. Renders nothing without one. */
export function UpdateLine({ now, onUpdates }: { now: UpdateState; onUpdates: () => void }) {
  const words = updateLine(now)
  if (words === '') return null
  return (
    <Button className="status-button" onPress={onUpdates}>
      {words}
    </Button>
  )
}
