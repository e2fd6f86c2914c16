import { Button } from 'react-aria-components'
import type { UpdateState } from '../../../src-shared/model/updates.ts'
import { updateLine } from '../../lib/format/updates.ts'

/** That an update waits for the operator; it leads to where it is. Nothing when there is none. */
export function UpdateLine({ now, onUpdates }: { now: UpdateState; onUpdates: () => void }) {
  const words = updateLine(now)
  if (words === '') return null
  return (
    <Button className="status-button" onPress={onUpdates}>
      {words}
    </Button>
  )
}
