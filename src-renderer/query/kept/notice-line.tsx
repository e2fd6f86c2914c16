import { X } from 'lucide-react'
import { Button } from 'react-aria-components'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { notice } from './notice.ts'

/** What was done last, with its undo, until it is dismissed or something else is done. */
export function NoticeLine() {
  const shown = useStore(notice)
  const undo = shown !== null && 'text' in shown ? shown.undo : undefined
  return (
    <div className="query-notice">
      <span role="status">{shown !== null && 'text' in shown && <Isolated>{shown.text}</Isolated>}</span>
      <FaultNote fault={shown !== null && 'fault' in shown ? shown.fault : null} />
      {undo !== undefined && (
        <Button
          className="button"
          onPress={() => {
            notice.set(null)
            undo()
          }}
        >
          Undo
        </Button>
      )}
      {shown !== null && (
        <IconButton label="Dismiss" onPress={() => notice.set(null)}>
          <X size={13} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
