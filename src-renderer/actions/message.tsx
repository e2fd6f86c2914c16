import { X } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import { useAppContext } from '../lib/context.ts'
import { useStore } from '../lib/store.ts'
import { IconButton } from '../lib/ui/buttons/icon-button.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'

/** Time (ms) for which the message about a started action stays, unless it has the focus. */
const messageStays = 12_000

/** The message about the last action, with a button that shows it. */
export function ActionMessage() {
  const { deviceActions } = useAppContext()
  const message = useStore(deviceActions.message)
  const { words, fault, job } = message
  useEffect(() => {
    if (words === '') return undefined
    const end = () => {
      if (deviceActions.message.get() !== message) return
      if (document.getElementById('action-message')?.contains(document.activeElement) === true)
        timer = setTimeout(end, messageStays)
      else deviceActions.forget()
    }
    let timer = setTimeout(end, messageStays)
    return () => clearTimeout(timer)
  }, [deviceActions, message, words])
  return (
    <div className="policy-text" id="action-message">
      <div
        className="action-text"
        role="status"
        data-shown={words !== '' || fault !== null}
        data-failed={fault !== null}
      >
        {words}
        {fault !== null && <FaultNote fault={fault} />}
        {job !== null && (
          <Button
            className="button"
            onPress={() => {
              deviceActions.show(job)
              deviceActions.forget()
            }}
          >
            Show
          </Button>
        )}
        {fault !== null && (
          <IconButton label="Dismiss" onPress={deviceActions.forget}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  )
}
